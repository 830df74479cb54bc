import { Mail, MessagesSquare } from 'lucide-react';
import { site } from '../lib/site.ts';

export function ContactLinks({ className }: { readonly className: string }) {
  return (
    <>
      {site.contactEmail !== null && (
        <a href={`mailto:${site.contactEmail}`} className={className}>
          <Mail aria-hidden />
          Email us
        </a>
      )}
      {site.contactChatUrl !== null && (
        <a href={site.contactChatUrl} target="_blank" rel="noreferrer" className={className}>
          <MessagesSquare aria-hidden />
          Community chat
        </a>
      )}
    </>
  );
}
