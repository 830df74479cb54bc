import type { FastifyInstance } from 'fastify';

/**
 * Registers routes whose bodies are taken as raw bytes, whatever their content type, because a signature covers each
 * byte.
 */
export function withRawBodies(
  app: FastifyInstance,
  mostBytes: number,
  addRoutes: (scope: FastifyInstance) => void,
): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mostBytes }, (_request, body, done) =>
      done(null, body),
    );
    addRoutes(scope);
  });
}
