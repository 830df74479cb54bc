import { expect, test } from 'vitest';
import { mailboxOf } from './mailbox.ts';

test.each([
  ['Ada@Example.com', 'ada@example.com'],
  ['ada+files@example.com', 'ada@example.com'],
  ['a.d.a@example.com', 'a.d.a@example.com'],
  ['A.d.a+x@GMail.com', 'ada@gmail.com'],
  ['ada@googlemail.com', 'ada@gmail.com'],
  ['a.d.a@gmail.com.example', 'a.d.a@gmail.com.example'],
])('%s reaches the mailbox %s', (email, mailbox) => expect(mailboxOf(email)).toBe(mailbox));
