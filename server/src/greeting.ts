import { ownerLink } from './accounts/invitations.ts';
import type { Config } from './config/config.ts';
import { version } from './config/version.ts';
import type { Context } from './context.ts';

/** What a start prints: where it listens, who can sign up, and where the data is. */
export async function greeting(context: Context, address: string): Promise<string> {
  const { site, publicUrl, database, blobs, dataDir } = context.config;
  const found = await ownerLink(context).catch(() => null);
  const isWhole = database.engine === 'sqlite' && blobs.engine === 'disk' && blobs.folder.startsWith(dataDir);
  return [
    `${site.name} ${version} is listening on ${address}${publicUrl === null ? '' : `, open ${publicUrl}`}`,
    found ? `Nobody has an account yet. Make yours, without limits: ${found.link}` : whoMayJoin(context.config),
    ...(isWhole ? [`Everything is kept in ${dataDir}`] : []),
  ].join('\n');
}

function whoMayJoin({ signUp, origins }: Config): string {
  const page = `${origins.app}/sign-up`;
  switch (signUp) {
    case 'open':
      return `People sign up at ${page}`;
    case 'approval':
      return `People sign up at ${page}, and wait for 'holdfast account approve'`;
    case 'invite':
      return "People sign up by the links of 'holdfast invite create'";
    case 'closed':
      return 'Nobody can sign up, because SIGN_UP is closed';
  }
}
