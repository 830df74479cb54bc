import type { Samples } from './sample-anchors.ts';

const keyOnly = `  headers: { "X-API-Key": "{{key}}" },`;
const send = (method: string, body: string) => `  method: "${method}",
  headers: {
    "X-API-Key": "{{key}}",
    "Content-Type": "application/json",
  },
  body: JSON.stringify(${body}),`;

const call = (url: string, options: string, field: string, reading: string) => `const answer = await fetch(${url}, {
${options}
});
const { success, ${field}, error } = await answer.json();
if (!success) throw new Error(error.message);
${reading}`;

const urlOf = (name: string) => `"{{origin}}/api/v3/rest/${name}"`;

export const javascriptSamples: Samples = {
  file: `import { writeFile } from "node:fs/promises";

const answer = await fetch("{{origin}}/file/q7Rt2mXa");
if (!answer.ok) throw new Error(await answer.text());
await writeFile("hello-again.txt", answer.body);`,

  upload: `import { openAsBlob } from "node:fs";

const form = new FormData();
form.append("file", await openAsBlob("hello.txt"), "hello.txt");

const answer = await fetch("{{origin}}/api/v3/upload", {
  method: "POST",
  headers: { "X-API-Key": "{{key}}" },
  body: form,
});
const { success, url, error } = await answer.json();
if (!success) throw new Error(error);
console.log(url);`,

  'get-file-list': `const query = new URLSearchParams({ column: "hits", limit: "10" });
${call(
  '`{{origin}}/api/v3/rest/get-file-list?${query}`',
  keyOnly,
  'files',
  'for (const file of files) console.log(file.name, file.original_name, file.hits);',
)}`,

  'toggle-favorite': call(
    urlOf('toggle-favorite'),
    send('POST', '{ file: "q7Rt2mXa" }'),
    'file_info',
    'console.log(file_info.is_favorite);',
  ),
  'delete-files': call(
    urlOf('delete-files'),
    send('DELETE', '{ files: ["q7Rt2mXa"] }'),
    'deleted',
    'console.log(deleted);',
  ),
  'restore-files': call(
    urlOf('restore-files'),
    send('POST', '{ files: ["q7Rt2mXa"] }'),
    'restored',
    'console.log(restored);',
  ),
  'get-account-info': call(
    urlOf('get-account-info'),
    keyOnly,
    'account',
    'console.log(account.info.email, account.usage.space_used);',
  ),
  'get-account-settings': call(urlOf('get-account-settings'), keyOnly, 'account', 'console.log(account.settings);'),
};
