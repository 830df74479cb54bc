#!/usr/bin/env node
/** An MCP server on the standard input and output, for the account of `holdfast-cli login`. */
import about from '../package.json' with { type: 'json' };
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { Problem } from '@holdfast/cli/src/exit-code.ts';
import { digestOf } from '@holdfast/cli/src/find-files.ts';
import { storedNameOf } from '@holdfast/cli/src/library.ts';
import { open, type Site, siteOf } from '@holdfast/cli/src/sites.ts';
import { type Holdfast, HoldfastError, type StoredFile } from '@holdfast/client/src/client.ts';
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: about.name, version: about.version });
  addUpload(server);
  addList(server);
  addLink(server);
  addDelete(server);
  return server;
});

function addUpload(server: McpServer): void {
  const description =
    'Uploads a file of this computer. Returns its public link, which anyone can open, and its SHA-256.';
  const inputSchema = z.object({
    path: z.string().describe('Absolute path of the file'),
    name: z.string().optional().describe('Name to store; by default that of the file'),
  });
  const annotations = { destructiveHint: false, openWorldHint: true };
  server.registerTool(
    'upload',
    { description, inputSchema, annotations },
    ({ path, name = basename(path) }, { mcpReq }) =>
      reply(async (site) => {
        const sha256 = await digestOf(path);
        const file = await openAsBlob(path);
        const progressToken = mcpReq._meta?.progressToken;
        const { url, evicted } = await open(site, patience).upload(file, {
          name,
          sha256,
          signal: mcpReq.signal,
          onProgress: ({ sent: progress, total }) => {
            if (progressToken === undefined) return;
            const params = { progressToken, progress, total };
            void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
          },
        });
        return { link: url, sha256, size: file.size, ...(evicted && { deleted_for_space: evicted }) };
      }),
  );
}

function addList(server: McpServer): void {
  const description = 'Lists files of the account with their links, newest first, page by page.';
  const inputSchema = z.object({
    search: z.string().default('').describe('Words that must all occur in the name or type of a file'),
    page: z.int().min(1).default(1),
    limit: z.int().min(1).max(500).default(50).describe('Files of a page'),
  });
  server.registerTool('list', { description, inputSchema, annotations: readOnly }, (query, { mcpReq: { signal } }) =>
    reply(async (site) => {
      const list = await open(site, patience).getFileList({ query, signal });
      const { total_files } = list.pagination;
      const more = query.page * query.limit < total_files && { next_page: query.page + 1 };
      return { files: list.files.map((file) => factsOf(file, site, list)), total_files, ...more };
    }),
  );
}

function addLink(server: McpServer): void {
  const description = 'Returns the public link and the SHA-256 of the files with a name, newest first.';
  server.registerTool(
    'link',
    { description, inputSchema: named, annotations: readOnly },
    ({ name }, { mcpReq: { signal } }) => reply(async (site) => ({ files: await findNamed(site, name, signal) })),
  );
}

function addDelete(server: McpServer): void {
  const description = 'Deletes a file: its link stops working. The owner can restore it on the site for 24 hours.';
  server.registerTool('delete', { description, inputSchema: named }, ({ name }, { mcpReq: { signal } }) =>
    reply(async (site) => {
      const [file, ...others] = await findNamed(site, name, signal);
      if (!file || others.length > 0) {
        const links = [file, ...others].map((each) => each?.link).join(' ');
        throw new Problem('usage', `Nothing was deleted: several files are named ${name}. Use a link: ${links}`);
      }
      const body = { files: [storedNameOf(file.link)] };
      const { deleted } = await open(site, patience).deleteFiles({ body, signal });
      if (deleted.length === 0) throw new Problem('notFound', `${name} had already been deleted.`);
      return { deleted: file };
    }),
  );
}

const readOnly = { readOnlyHint: true };
const named = z.object({ name: z.string().min(1).describe('Link, stored name or original name') });

type Facts = ReturnType<typeof factsOf>;
type Rule = Pick<Awaited<ReturnType<Holdfast['getFileList']>>, 'preferred_domain' | 'show_file_extensions'>;

/** The site takes no longer search. */
const [longestSearch, mostWords] = [64, 10];

/** A stored name is of one file, an original name perhaps of several. */
async function findNamed(site: Site, name: string, signal: AbortSignal): Promise<[Facts, ...Facts[]]> {
  const holdfast = open(site, patience);
  const rule = await holdfast.getFileList({ query: { limit: 1 }, signal });
  const stored = storedNameOf(name);
  if (/^\w{4,64}$/.test(stored))
    for await (const file of holdfast.listFiles({ search: stored }))
      if (file.name === stored) return [factsOf(file, site, rule)];
  const found: Facts[] = [];
  const words = name.slice(0, longestSearch).trim().split(/\s+/).slice(0, mostWords);
  for await (const file of holdfast.listFiles({ search: words.join(' ') }))
    if (file.original_name === name) found.push(factsOf(file, site, rule));
  const [first, ...others] = found;
  if (!first) throw new Problem('notFound', `No file is named ${name}. Find its name with the tool list.`);
  return [first, ...others];
}

function factsOf({ name, extension, ...file }: StoredFile, { url }: Site, rule: Rule) {
  const suffix = rule.show_file_extensions && extension !== '' ? `.${extension}` : '';
  const { original_name, size, sha256, hits, time_added, is_favorite } = file;
  const link = `${new URL(url).protocol}//${rule.preferred_domain}/file/${name}${suffix}`;
  return { link, original_name, size, sha256, hits, time_added, is_favorite };
}

/** A client gives up after a minute or so, and its user can call again. */
const patience = { retries: 3, longestWait: 10 };

/** A login meanwhile counts: the site is read for each call. */
async function reply(answer: (site: Site) => Promise<object>): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: JSON.stringify(await answer(siteOf()), null, 2) }] };
  } catch (error) {
    const message = (error as Error).message.replace(/(?<=\w)$/, '.');
    return { content: [{ type: 'text', text: `${message} ${adviceOn(error)}`.trim() }], isError: true };
  }
}

function adviceOn(error: unknown): string {
  if (!(error instanceof HoldfastError)) return 'code' in (error as object) ? 'Give the absolute path of a file.' : '';
  const { status, retryAfter, code } = error;
  if (status === 401) return 'Enter a new key: holdfast-cli login URL, or HOLDFAST_KEY in the settings of this server.';
  if (code === 'NO_RESPONSE' || status >= 500) return 'List the files to see whether it was done, or try again later.';
  return retryAfter === undefined ? '' : `Try again in ${retryAfter} seconds.`;
}
