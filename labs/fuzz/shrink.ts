/** Removes pieces of `bytes`, first large and then small ones, as long as `fails` holds. Returns the smallest found. */
export async function shrink(bytes: Buffer, fails: (bytes: Buffer) => Promise<boolean>): Promise<Buffer> {
  let smallest = bytes;
  for (let piece = Math.ceil(bytes.length / 2); piece >= 1; piece = piece === 1 ? 0 : Math.ceil(piece / 2)) {
    for (let at = 0; at < smallest.length;) {
      const tried = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + piece)]);
      if (await fails(tried)) smallest = tried;
      else at += piece;
    }
  }
  return smallest;
}
