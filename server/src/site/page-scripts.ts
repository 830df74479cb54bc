import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Chunk {
  readonly file: string;
  readonly name?: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
}

type Chunks = Readonly<Record<string, Chunk>>;

/** Preloads start all requests at once; the browser would discover each script only through the one before it. */
export async function readPageScripts(
  dist: string,
  pages: ReadonlySet<string>,
): Promise<(path: string, withSession: boolean) => readonly string[]> {
  const chunks = await readChunks(join(dist, 'pages.json'));
  const known = new Map([...pages].map((path) => [path, scriptsOf(path, chunks)]));
  const notFound = filesOf(keysIn('src/pages/not-found/', chunks), chunks);
  // Not by its path: another script may import it.
  const asking = filesOf(
    Object.keys(chunks).filter((key) => chunks[key]?.name === 'fetch-account'),
    chunks,
  );
  return (path, withSession) => {
    const own = known.get(path) ?? notFound;
    return withSession ? [...new Set([...own, ...asking])] : own;
  };
}

async function readChunks(path: string): Promise<Chunks> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Chunks;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}

/** A page's folder is named after its path, except for the first page of each part. */
const foldersOf: Readonly<Record<string, string>> = { '/': '/home', '/dashboard': '/dashboard/upload-files' };

const accountPages = 'src/pages/dashboard/account-pages.ts';

const aroundDashboard = [
  'src/layouts/dashboard/DashboardLayout.tsx',
  'src/pages/dashboard/upload-files/UploadsEverywhere.tsx',
];

function scriptsOf(path: string, chunks: Chunks): readonly string[] {
  const own = keysIn(`src/pages${foldersOf[path] ?? path}/`, chunks);
  if (!path.startsWith('/dashboard')) return filesOf(own, chunks);
  return filesOf([...aroundDashboard, ...(own.length > 0 ? own : [accountPages])], chunks);
}

const keysIn = (folder: string, chunks: Chunks): readonly string[] =>
  Object.keys(chunks).filter((key) => key.startsWith(folder) && /^\w+Page\.tsx$/.test(key.slice(folder.length)));

/** Includes their imports, and excludes scripts that the page loads anyway. */
function filesOf(keys: readonly string[], chunks: Chunks): readonly string[] {
  const found = new Map<string, string>();
  const visit = (key: string): void => {
    const chunk = chunks[key];
    if (!chunk || chunk.isEntry || found.has(key)) return;
    found.set(key, chunk.file);
    chunk.imports?.forEach(visit);
  };
  keys.forEach(visit);
  return [...found.values()];
}
