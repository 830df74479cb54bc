/** Node's `fetch` needs it for a body that is a stream; the types of browsers do not have it. */
interface RequestInit {
  duplex?: 'half';
}
