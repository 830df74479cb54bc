import type { Samples } from './sample-anchors.ts';

/** Each is a module for Node that needs no packages. */
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
const answer = await fetch(\`{{origin}}/api/v3/rest/get-file-list?\${query}\`, {
  headers: { "X-API-Key": "{{key}}" },
});
const { success, files, error } = await answer.json();
if (!success) throw new Error(error.message);
for (const file of files) console.log(file.name, file.original_name, file.hits);`,

  'toggle-favorite': `const answer = await fetch("{{origin}}/api/v3/rest/toggle-favorite", {
  method: "POST",
  headers: {
    "X-API-Key": "{{key}}",
    "Content-Type": "application/json",
  },
  body: JSON.stringify({ file: "q7Rt2mXa" }),
});
const { success, file_info, error } = await answer.json();
if (!success) throw new Error(error.message);
console.log(file_info.is_favorite);`,

  'delete-files': `const answer = await fetch("{{origin}}/api/v3/rest/delete-files", {
  method: "DELETE",
  headers: {
    "X-API-Key": "{{key}}",
    "Content-Type": "application/json",
  },
  body: JSON.stringify({ files: ["q7Rt2mXa"] }),
});
const { success, deleted, error } = await answer.json();
if (!success) throw new Error(error.message);
console.log(deleted);`,

  'get-account-info': `const answer = await fetch("{{origin}}/api/v3/rest/get-account-info", {
  headers: { "X-API-Key": "{{key}}" },
});
const { success, account, error } = await answer.json();
if (!success) throw new Error(error.message);
console.log(account.info.email, account.usage.space_used);`,

  'get-account-settings': `const answer = await fetch("{{origin}}/api/v3/rest/get-account-settings", {
  headers: { "X-API-Key": "{{key}}" },
});
const { success, account, error } = await answer.json();
if (!success) throw new Error(error.message);
console.log(account.settings);`,
};
