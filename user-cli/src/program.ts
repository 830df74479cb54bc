import about from '../package.json' with { type: 'json' };
import { Command, Option } from 'commander';
import { completion } from './completion.ts';
import { exitCodes } from './exit-code.ts';
import { get } from './get.ts';
import { favorite, info, list, remove } from './library.ts';
import { login } from './sites.ts';
import { upload } from './upload.ts';

const columns = ['upload_time', 'name', 'favorite', 'size', 'hits', 'access_time', 'file_extension'];

export function program(): Command {
  const all = new Command('holdfast-cli')
    .description('Uploads files to a Holdfast site, and manages them there.')
    .version(about.version)
    .exitOverride()
    .addHelpText(
      'after',
      `\nHOLDFAST_URL and HOLDFAST_KEY replace a login.\nExit codes: ${Object.entries(exitCodes)
        .map(([name, code]) => `${code} ${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`)
        .join(', ')}.`,
    );
  const command = (usage: string, description: string) =>
    all.command(usage).description(description).option('--site <url>', 'a site other than the newest one');

  all
    .command('login <url>')
    .description('keep the API key of a site, from a prompt or the standard input')
    .action((url: string) => login(url));
  command('upload <path...>', 'upload files, folders, patterns, or - for the standard input, and print their links')
    .option('--name <name>', 'the original name, for one file')
    .option('--favorite', 'mark as favorite')
    .option('--copy', 'copy the links')
    .option('--json', 'one JSON object for each file')
    .action(upload);
  command('ls [word...]', 'list files: name, size, downloads, favorite, original name')
    .addOption(new Option('--sort <column>', 'sort by').choices(columns).default('upload_time'))
    .option('--reverse', 'lowest first')
    .option('--json', 'one JSON object for each file')
    .action(list);
  command('rm <file...>', 'delete files, by link or name').action(remove);
  command('fav <file...>', 'mark files as favorite').option('--off', 'remove the mark').action(favorite);
  command('info [file]', 'show a file, or the account').option('--json', 'one JSON object').action(info);
  command('get <file>', 'download a file, by link or name, and compare its digest')
    .option('-o, --output <path>', 'where to')
    .option('--force', 'replace a file that exists')
    .action(get);
  all
    .command('completion <shell>')
    .description('print a script for bash, zsh or fish')
    .action((shell: string) => void process.stdout.write(completion(shell, all)));
  return all;
}
