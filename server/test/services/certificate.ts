import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const names = ['holdfast.example', 'files.holdfast.example', 'mirror.holdfast.example'];

/**
 * Makes a self-signed certificate, for the three names unless others are given, with its key, in files named like certbot's. Returns its path.
 */
export async function makeCertificate(
  folder: string,
  alternatives = names.map((name) => `DNS:${name}`),
): Promise<string> {
  const certificate = join(folder, 'fullchain.pem');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = ['-subj', `/CN=${names[0]}`, '-addext', `subjectAltName=${alternatives.join(',')}`, '-days', '2'];
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', certificate];
  await promisify(execFile)('openssl', ['req', '-x509', ...key, ...subject, ...files]);
  return certificate;
}
