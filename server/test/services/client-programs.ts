/**
 * Programs that make every API call with the generated clients of `/openapi.json`. They are strings because their
 * imports exist only after generation. Each `run` returns the result of every call by the name of its operation, and
 * `tsc` checks that the author of such a program gets the right types.
 */
export const clientPrograms = {
  'main.ts': `
import { run as runHeyApi } from './by-hey-api.ts';
import { run as runOpenapiFetch } from './by-openapi-fetch.ts';

declare const process: { readonly argv: readonly string[] };
const [, , origin = '', key = ''] = process.argv;
console.log(JSON.stringify([await runHeyApi(origin, key), await runOpenapiFetch(origin, key)]));
`,

  'by-hey-api.ts': `
import { createClient } from './hey-api/client/index.ts';
import * as api from './hey-api/sdk.gen.ts';
import type { StoredFile } from './hey-api/types.gen.ts';

export async function run(origin: string, key: string): Promise<Record<string, unknown>> {
  const client = createClient({ baseUrl: origin, auth: key });
  const uploaded = await api.upload({ client, body: { file: new File(['kelp'], 'kelp.bin') } });
  const url: string | undefined = uploaded.data?.url;
  const filename = url?.split('/').at(-1) ?? '';
  const listed = await api.getFileList({ client, query: { column: 'name', limit: 10 } });
  const first: StoredFile | undefined = listed.data?.files[0];
  const name = first?.name ?? '';
  const toggled = await api.toggleFavorite({ client, body: { file: name } });
  const info = await api.getAccountInfo({ client });
  const settings = await api.getAccountSettings({ client });
  // The bytes come as the platform's Blob.
  const file = await api.getFile({ client, path: { filename }, query: { 'no-count': 'true' } });
  const text: string | undefined = await file.data?.text();
  const headOfFile = await api.headFile({ client, path: { filename } });
  const digest = await api.getFileDigest({ client, path: { filename } });
  const digestText: string | undefined = digest.data;
  const headOfDigest = await api.headFileDigest({ client, path: { filename } });
  const sha1 = await api.getFileSha1({ client, path: { filename } });
  const sha1Text: string | undefined = sha1.data;
  const headOfSha1 = await api.headFileSha1({ client, path: { filename } });
  const deleted = await api.deleteFiles({ client, body: { files: [name] } });
  const missing = await api.toggleFavorite({ client, body: { file: name } });
  const restored = await api.restoreFiles({ client, body: { files: [name] } });
  const version = { 'Tus-Resumable': '1.0.0' };
  const metadata = { 'Upload-Length': '5', 'Upload-Metadata': 'filename ' + btoa('weed.bin') };
  const begin = () => api.createUpload({ client, headers: { ...version, ...metadata } });
  const [begun, other] = [await begin(), await begin()];
  const idOf = ({ response }: typeof begun) => response?.headers.get('Location')?.split('/').at(-1) ?? '';
  const one = { path: { id: idOf(begun) }, client };
  const state = await api.readUpload({ ...one, headers: version });
  const appended = await api.appendToUpload({
    ...one,
    headers: { ...version, 'Upload-Offset': '0' },
    body: new Blob(['algae']),
  });
  const removed = await api.removeUpload({ client, path: { id: idOf(other) }, headers: version });
  const link = appended.response?.headers.get('Holdfast-Link') ?? '';
  await api.deleteFiles({ client, body: { files: [name, link.split(/[/.]/).at(-2) ?? ''] } });
  return {
    upload: url?.includes('/file/'),
    getFileList: [first?.sha256, first?.size, listed.data?.pagination.total_files],
    toggleFavorite: toggled.data?.file_info.is_favorite,
    getAccountInfo: info.data?.account.limits.max_file_size !== undefined,
    getAccountSettings: settings.data?.account.settings.preferred_filename_length,
    getFile: text,
    headFile: headOfFile.response?.headers.get('ETag'),
    getFileDigest: digestText,
    headFileDigest: headOfDigest.response?.headers.get('Content-Length'),
    getFileSha1: sha1Text,
    headFileSha1: headOfSha1.response?.headers.get('Content-Length'),
    deleteFiles: deleted.data?.deleted.length,
    restoreFiles: restored.data?.restored.length,
    createUpload: begun.response?.headers.get('Location')?.slice(0, '/api/v3/tus/'.length),
    readUpload: [state.response?.headers.get('Upload-Offset'), state.response?.headers.get('Upload-Length')],
    appendToUpload: [
      appended.response?.headers.get('Upload-Offset'),
      link.includes('/file/'),
    ],
    removeUpload: removed.response?.status,
    refusal: missing.error && 'error' in missing.error ? missing.error.error.code : missing.error,
  };
}
`,

  'by-openapi-fetch.ts': `
import createClient from 'openapi-fetch';
import type { components, paths } from './paths.ts';

export async function run(origin: string, key: string): Promise<Record<string, unknown>> {
  const client = createClient<paths>({ baseUrl: origin, headers: { 'X-API-Key': key } });
  const form = new FormData();
  form.append('file', new File(['kelp'], 'kelp.bin'));
  const uploaded = await client.POST('/api/v3/upload', { body: { file: '' }, bodySerializer: () => form });
  const url: string | undefined = uploaded.data?.url;
  const filename = url?.split('/').at(-1) ?? '';
  const listed = await client.GET('/api/v3/rest/get-file-list', { params: { query: { column: 'name', limit: 10 } } });
  const first: components['schemas']['StoredFile'] | undefined = listed.data?.files[0];
  const name = first?.name ?? '';
  const toggled = await client.POST('/api/v3/rest/toggle-favorite', { body: { file: name } });
  const info = await client.GET('/api/v3/rest/get-account-info');
  const settings = await client.GET('/api/v3/rest/get-account-settings');
  const path = { filename };
  const bytes = await client.GET('/file/{filename}', {
    params: { path, query: { 'no-count': 'true' } },
    parseAs: 'blob',
  });
  const text: string | undefined = await bytes.data?.text();
  const headOfFile = await client.HEAD('/file/{filename}', { params: { path } });
  const digest = await client.GET('/file/{filename}.sha256', { params: { path }, parseAs: 'text' });
  const digestText: string | undefined = digest.data;
  const headOfDigest = await client.HEAD('/file/{filename}.sha256', { params: { path } });
  const sha1 = await client.GET('/file/{filename}.sha1', { params: { path }, parseAs: 'text' });
  const sha1Text: string | undefined = sha1.data;
  const headOfSha1 = await client.HEAD('/file/{filename}.sha1', { params: { path } });
  const deleted = await client.DELETE('/api/v3/rest/delete-files', { body: { files: [name] } });
  const missing = await client.POST('/api/v3/rest/toggle-favorite', { body: { file: name } });
  const restored = await client.POST('/api/v3/rest/restore-files', { body: { files: [name] } });
  const version = { 'Tus-Resumable': '1.0.0' };
  const metadata = { 'Upload-Length': '5', 'Upload-Metadata': 'filename ' + btoa('weed.bin') };
  const begin = () => client.POST('/api/v3/tus', { params: { header: { ...version, ...metadata } } });
  const [begun, other] = [await begin(), await begin()];
  const idOf = ({ response }: typeof begun) => response.headers.get('Location')?.split('/').at(-1) ?? '';
  const one = { id: idOf(begun) };
  const state = await client.HEAD('/api/v3/tus/{id}', { params: { path: one, header: version } });
  const appended = await client.PATCH('/api/v3/tus/{id}', {
    params: { path: one, header: { ...version, 'Upload-Offset': '0' } },
    headers: { 'Content-Type': 'application/offset+octet-stream' },
    body: '',
    bodySerializer: () => new Blob(['algae']),
  });
  const removed = await client.DELETE('/api/v3/tus/{id}', {
    params: { path: { id: idOf(other) }, header: version },
  });
  const link = appended.response.headers.get('Holdfast-Link') ?? '';
  await client.DELETE('/api/v3/rest/delete-files', { body: { files: [name, link.split(/[/.]/).at(-2) ?? ''] } });
  const refusal: components['schemas']['ErrorCode'] | undefined = missing.error?.error.code;
  return {
    upload: url?.includes('/file/'),
    getFileList: [first?.sha256, first?.size, listed.data?.pagination.total_files],
    toggleFavorite: toggled.data?.file_info.is_favorite,
    getAccountInfo: info.data?.account.limits.max_file_size !== undefined,
    getAccountSettings: settings.data?.account.settings.preferred_filename_length,
    getFile: text,
    headFile: headOfFile.response.headers.get('ETag'),
    getFileDigest: digestText,
    headFileDigest: headOfDigest.response.headers.get('Content-Length'),
    getFileSha1: sha1Text,
    headFileSha1: headOfSha1.response.headers.get('Content-Length'),
    deleteFiles: deleted.data?.deleted.length,
    restoreFiles: restored.data?.restored.length,
    createUpload: begun.response.headers.get('Location')?.slice(0, '/api/v3/tus/'.length),
    readUpload: [state.response.headers.get('Upload-Offset'), state.response.headers.get('Upload-Length')],
    appendToUpload: [
      appended.response.headers.get('Upload-Offset'),
      link.includes('/file/'),
    ],
    removeUpload: removed.response.status,
    refusal,
  };
}
`,

  'package.json': '{ "type": "module" }',

  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'es2024',
      lib: ['es2024', 'dom', 'dom.iterable'],
      types: [],
      module: 'nodenext',
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noPropertyAccessFromIndexSignature: true,
      noImplicitOverride: true,
      noImplicitReturns: true,
      noFallthroughCasesInSwitch: true,
      noUnusedLocals: true,
      noUnusedParameters: true,
      allowUnreachableCode: false,
      allowUnusedLabels: false,
      isolatedModules: true,
      verbatimModuleSyntax: true,
      erasableSyntaxOnly: true,
      allowImportingTsExtensions: true,
      skipLibCheck: false,
    },
    include: ['*.ts'],
  }),
} as const;
