import type { Samples } from './sample-anchors.ts';

/** TypeScript with `@holdfast/client`. */
const program = (code: string, imports = '') => `import { createHoldfast } from "@holdfast/client";
${imports}
const holdfast = createHoldfast({
  url: "{{origin}}",
  apiKey: "{{key}}",
});
${code}`;

const openAsBlob = 'import { openAsBlob } from "node:fs";\n';

export const sdkSamples: Samples = {
  file: program(
    `await writeFile("hello-again.txt", holdfast.readBytes("q7Rt2mXa"));
console.log(await holdfast.getDigest("q7Rt2mXa"));`,
    'import { writeFile } from "node:fs/promises";\n',
  ),

  upload: program(
    `const { url } = await holdfast.upload(await openAsBlob("hello.txt"), {
  name: "hello.txt",
  onProgress: ({ sent, total }) => console.log(sent, "of", total),
});
console.log(url);`,
    openAsBlob,
  ),

  tus: program(
    `const file = await openAsBlob("hello.txt");

// Another process goes on with the same id.
const resume = await readFile("upload-id", "utf8")
  .catch(() => undefined);
const { url } = await holdfast.upload(file, {
  name: "hello.txt",
  ...(resume && { resume }),
  onBegin: (id) => writeFileSync("upload-id", id),
});
await rm("upload-id", { force: true });
console.log(url);`,
    `import { openAsBlob, writeFileSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
`,
  ),

  'get-file-list': program(`for await (const file of holdfast.listFiles({ column: "hits" }))
  console.log(file.name, file.original_name, file.hits);`),

  'toggle-favorite': program(`const { file_info } = await holdfast.toggleFavorite({
  body: { file: "q7Rt2mXa" },
});
console.log(file_info.is_favorite);`),

  'delete-files': program(`const { deleted } = await holdfast.deleteFiles({
  body: { files: ["q7Rt2mXa"] },
});
console.log(deleted);`),

  'restore-files': program(`const { restored } = await holdfast.restoreFiles({
  body: { files: ["q7Rt2mXa"] },
});
console.log(restored);`),

  'get-account-info': program(`const { account } = await holdfast.getAccountInfo();
console.log(account.info.email, account.usage.space_used);`),

  'get-account-settings': program(`const { account } = await holdfast.getAccountSettings();
console.log(account.settings);`),
};
