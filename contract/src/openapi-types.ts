import type { JsonSchema } from './openapi-schemas.ts';

export interface OpenApi {
  readonly openapi: '3.1.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly [kind: string]: Readonly<Record<string, object>>;
  };
  readonly [field: string]: unknown;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
  readonly [field: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Media {
  readonly schema?: JsonSchema;
  readonly [field: string]: unknown;
}
