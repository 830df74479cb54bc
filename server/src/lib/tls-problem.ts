/** Without the advice of Node to start it in another way: an operator sets a URL. */
export function tlsProblem(error: unknown): string | undefined {
  const {
    code,
    originalCode = code,
    message = '',
  } = error as { code?: string; originalCode?: string; message?: string };
  if (originalCode === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'the server does not begin with TLS';
  return originalCode !== undefined && tlsCode.test(originalCode) ? message.split(';')[0] : undefined;
}

const tlsCode = /CERT|SIGNATURE|^INVALID_(?:CA|PURPOSE)$|^ERR_(?:SSL|TLS)_/;
