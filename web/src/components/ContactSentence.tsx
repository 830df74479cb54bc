import { site } from '../lib/site.ts';

/** A sentence on how to contact the operator; without published contacts it names another way. */
export function ContactSentence() {
  const { contactEmail, contactChatUrl } = site;
  const mail = contactEmail !== null && <a href={`mailto:${contactEmail}`}>{contactEmail}</a>;
  const chat = contactChatUrl !== null && (
    <a href={contactChatUrl} target="_blank" rel="noreferrer">
      community chat
    </a>
  );
  if (mail && chat)
    return (
      <>
        Write to {mail}, or ask in the {chat}.
      </>
    );
  if (mail) return <>Write to {mail}.</>;
  if (chat) return <>Ask in the {chat}.</>;
  return (
    <>This site has no published contact. To find the operator, look up its domain (WHOIS) or its hosting company.</>
  );
}
