import type { FastifyInstance } from 'fastify';

/** Routes whose bodies are taken as they are, whatever they say they are: their signature covers each byte. */
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
