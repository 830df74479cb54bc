import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type TLSSocket } from 'node:tls';

export const appHost = 'holdfast.example';
export const fileHost = 'files.holdfast.example';
export const mirrorHost = 'mirror.holdfast.example';

/** A reverse proxy with HTTPS, in front of a server on loopback. */
export interface ProxyInFront extends AsyncDisposable {
  /** Its ports for HTTPS and for HTTP. */
  readonly port: number;
  readonly httpPort: number;
  /** Path of the certificate, which is its own authority. */
  readonly certificate: string;
  /** Opens a new TLS connection that requests the certificate of `host`. */
  connect(host?: string, options?: { readonly localAddress?: string }): Promise<TLSSocket>;
}

/** Returns the `connect` of a proxy. */
export async function connectorTo(port: number, certificate: string): Promise<ProxyInFront['connect']> {
  const ca = await readFile(certificate);
  return async (host = fileHost, options = {}) => {
    const socket = connect({ port, host: '127.0.0.1', servername: host, ca, ...options });
    await once(socket, 'secureConnect');
    return socket;
  };
}
