/** Prepares the machine for the commands of each page, and gives the reason for each command that is not run. */
import { type Block, blockOf, blocksOf } from '../../server/test/harness/documented-blocks.ts';

/** Blocks are named by how they begin. Every block that is not named here is run after those before it, unchanged. */
export interface PagePlan {
  /** The machine has the archive of a release instead of the program in `/opt/holdfast`. */
  readonly release?: true;
  /** Shell commands before the first block. */
  readonly before?: string;
  /** Shell commands before a block. Its text is in the file `$block`. */
  readonly beforeBlock?: Readonly<Record<string, string>>;
  /** Blocks that start a server and do not end. The next block is run when the server listens. */
  readonly serving?: readonly string[];
  /** Reasons why blocks are not run. */
  readonly notRun?: Readonly<Record<string, string>>;
}

const shells = new Set(['sh', 'bash', 'shell', 'console', 'zsh']);

export const commandsOf = (page: string): Block[] => blocksOf(page).filter(({ language }) => shells.has(language));

const local = 'http://localhost:3000';
const mirror = 'it needs a mirror of Debian';
const systemd = 'it needs systemd as the first process of the machine';
const docker = 'it needs Docker';

/** Waits until a server listens on port 3000. */
export const untilListening = `
curl -s -o /dev/null --retry 100 --retry-delay 1 --retry-connrefused http://127.0.0.1:3000/ || {
  cat /var/log/holdfast.log >&2
  exit 1
}`;

const addUser = 'useradd --system --home-dir /var/lib/holdfast --shell /usr/sbin/nologin holdfast';
const addDataFolder = 'install -d -o holdfast -g holdfast -m 700 /var/lib/holdfast';
const asHoldfast = 'cd /opt/holdfast && exec runuser -u holdfast --';
const serve = `
(${asHoldfast} node_modules/.bin/holdfast serve) > /var/log/holdfast.log 2>&1 &
${untilListening}`;
const prepare = (what: 'library' | 'waiting' | 'keys-in-forms', url: string): string =>
  `(${asHoldfast} "$NODE" labs/machines/prepare-machine.ts ${what} ${url})`;
/** Keeps the printed key of Ada as the pages do. */
const keep = (prepared: string): string => `HOLDFAST_KEY=$${prepared}\nexport HOLDFAST_KEY`;

const withServer = (...settings: readonly string[]): string => `
${addUser}
${addDataFolder}
printf '%s\\n' DATA_DIR=/var/lib/holdfast ${settings.join(' ')} > /opt/holdfast/.env
${serve}`;
const toWork = 'cd "$(mktemp -d)" && printf hello > pack.zip';
const toProgram = 'cd /opt/holdfast';

/** The documented nginx before the documented settings, with a certificate of its own. */
const behindNginx = `
${addDataFolder}
${serve}
certificates=/etc/letsencrypt/live/holdfast.example
mkdir -p "$certificates" /var/www/html
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=holdfast.example \\
  -addext subjectAltName=DNS:holdfast.example,DNS:files.holdfast.example,DNS:mirror.holdfast.example \\
  -keyout "$certificates/privkey.pem" -out "$certificates/fullchain.pem" 2> /dev/null
cat > /etc/nginx/nginx.conf <<'end of the configuration'
${blockOf('docs/installation.md', 'nginx', 'nginx')}
end of the configuration
nginx
export CURL_CA_BUNDLE="$certificates/fullchain.pem" NODE_EXTRA_CA_CERTS="$certificates/fullchain.pem"
${prepare('library', 'https://holdfast.example')} > /dev/null`;

/** Runs the unit of Holdfast as systemd does, without its sandbox and its limits. */
const systemctl = `#!/bin/sh
set -eu
unit=/etc/systemd/system/holdfast.service log=/var/log/holdfast.log pid=/run/holdfast.pid
valueOf() { sed -n "s/^$1=//p" "$unit"; }
start() {
  user=$(valueOf User)
  install -d -o "$user" -g "$user" -m 700 /var/lib/holdfast /var/cache/holdfast
  cd "$(valueOf WorkingDirectory)"
  env -i PATH="$PATH" $(valueOf Environment) \\
    setpriv --reuid "$user" --regid "$user" --init-groups $(valueOf ExecStart) >> "$log" 2>&1 &
  echo $! > "$pid"
  ${untilListening.trim()}
}
stop() {
  kill "$(cat "$pid")"
  tail --pid="$(cat "$pid")" -f /dev/null
}
case $* in
  daemon-reload) ;;
  'restart caddy') caddy validate --config /etc/caddy/Caddyfile ;;
  'start holdfast' | 'enable --now holdfast') start ;;
  'stop holdfast') stop ;;
  'restart holdfast') stop && start ;;
  'reload holdfast')
    kill -HUP "$(cat "$pid")"
    tail -n +1 --pid="$(cat "$pid")" -f "$log" | grep -q 'the new workers have taken over'
    ;;
  *) exit 1 ;;
esac
`;

/** Takes the archive to the folder of an administrator. */
export const withRelease = `
mkdir -p "$HOME/release" /etc/caddy
mv /opt/holdfast/release/* "$HOME/release"
umount /opt/holdfast
rmdir /opt/holdfast
cat > /usr/local/bin/systemctl <<'end of systemctl'
${systemctl}end of systemctl
chmod 755 /usr/local/bin/systemctl
cd "$HOME/release"`;

/** Installs the release as its page does, and makes the archive of the next version, which differs by its number alone. */
const beforeAnUpdate = (): string => `
${blockThat('docs/self-hosting.md', 'sha256sum --check')}
${blockThat('docs/self-hosting.md', 'systemctl enable')}
mkdir -p "$HOME/next/holdfast-1.999.0"
cd "$HOME/next"
tar -xzf ../release/holdfast-*.tar.gz -C holdfast-1.999.0 --strip-components=1
sed -i 's/"version": ".*"/"version": "1.999.0"/' holdfast-1.999.0/package.json
tar -czf holdfast-1.999.0-linux-x64.tar.gz holdfast-1.999.0
sha256sum *.tar.gz > SHA256SUMS`;
const blockThat = (page: string, begins: string): string => {
  const block = commandsOf(page).find(({ text }) => text.startsWith(begins));
  if (!block) throw new Error(`${page} has no block that begins with ${begins}`);
  return block.text;
};

export const plans: Readonly<Record<string, PagePlan>> = {
  'README.md': {
    before: toProgram,
    serving: ['npm start'],
    beforeBlock: {
      'curl -H': `${keep(`("$NODE" labs/machines/prepare-machine.ts library ${local})`)}\n${toWork}`,
    },
  },
  'docs/api.md': {
    before: [withServer(), keep(prepare('library', local)), toWork].join('\n'),
    // The page says that the account has to allow it.
    beforeBlock: { 'curl -F api_key': prepare('keys-in-forms', local) },
  },
  'docs/installation.md': {
    before: toProgram,
    beforeBlock: {
      'chown root:holdfast .env': `cat > .env <<'END'\n${blockOf('docs/installation.md', 'Settings', 'dotenv')}END`,
      "curl -w '": behindNginx,
      [`${toProgram}\nsudo -u holdfast ./holdfast restore`]: `
install -d -o holdfast -g holdfast -m 700 /var/lib/restored
sed -i 's,^DATA_DIR=.*,DATA_DIR=/var/lib/restored,' /opt/holdfast/.env`,
    },
    notRun: {
      'apt-get install nginx': mirror,
      'git clone': 'it needs the address of the repository',
      'apt-get install clamav': mirror,
      'cp /opt/holdfast/packaging': systemd,
      'certbot certonly': 'it needs a public name',
      'nginx -t && systemctl': systemd,
    },
  },
  'docs/joining.md': {
    before: [withServer('SIGN_UP=approval'), toProgram].join('\n'),
    beforeBlock: { './holdfast account list --waiting': prepare('waiting', local) },
  },
  'docs/moving.md': {
    before: [
      withServer(),
      `${prepare('library', local)} > /dev/null`,
      'install -d -o holdfast -g holdfast -m 700 /srv/holdfast',
      toProgram,
    ].join('\n'),
    beforeBlock: {
      // The machine has no PostgreSQL.
      'sudo -u holdfast ./holdfast move --to-database': `
sed -i 's,postgres://[^ ]*,sqlite:/srv/holdfast/new.db,' "$block"`,
      'sudo -u holdfast ./holdfast fsck': `
cp .env old.env
printf '%s\\n' DATABASE_URL=sqlite:/srv/holdfast/new.db BLOBS_URL=file:/srv/holdfast/blobs >> .env`,
      'sudo -u holdfast ./holdfast move --cancel': `
cp old.env .env
sed -i 's/--cancel/--cancel --yes/' "$block"`,
    },
    notRun: { 'systemctl stop': systemd, 'systemctl start': systemd },
  },
  'docs/operations.md': {
    before: [withServer(), `${prepare('library', local)} > /dev/null`, toProgram].join('\n'),
    notRun: { 'mkdir -p /opt/otel': 'it needs the registry of npm' },
  },
  'docs/plans.md': {
    before: [withServer(), `${prepare('library', local)} > /dev/null`, toProgram].join('\n'),
  },
  'docs/recipes.md': {
    before: 'export HOLDFAST_KEY=hf_key',
    notRun: {
      '#!/bin/sh': 'it is a script, which recipes.test.ts runs',
      'npm install': 'it needs the archive of a release; recipes.test.ts runs it',
    },
  },
  'docs/self-hosting.md': {
    release: true,
    notRun: { 'apt-get update': mirror, "cat > .env <<'END'": docker, 'docker compose': docker },
  },
  'docs/upgrading.md': {
    release: true,
    before: beforeAnUpdate(),
    beforeBlock: {
      'systemctl reload': 'echo WORKERS=1 >> /opt/holdfast/.env && systemctl restart holdfast',
    },
    notRun: { 'docker compose': docker, 'git pull': 'it needs the repository' },
  },
};
