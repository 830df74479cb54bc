import * as z from 'zod/mini';
import { account, accountInfo, accountLimits, accountSettings, accountUsage, settingsOptions } from './account.ts';
import { schemaTexts } from './api-docs/field-texts.ts';
import { file } from './files.ts';

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly [keyword: string]: unknown;
}

const named = z.registry<{ id: string }>();
// Schemas must not have names of platform types, which they would shadow in a generated client.
named.add(file, { id: 'StoredFile' });
named.add(accountUsage, { id: 'AccountUsage' });
named.add(accountLimits, { id: 'AccountLimits' });
named.add(accountInfo, { id: 'AccountInfo' });
named.add(account, { id: 'Account' });
named.add(accountSettings, { id: 'AccountSettings' });
named.add(settingsOptions, { id: 'SettingsOptions' });

export const namedSchemas = (): Record<string, JsonSchema> => {
  const { schemas } = z.toJSONSchema(named, { override, uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      describeFields(tidy(schema), new Map(Object.entries(schemaTexts)).get(name)),
    ]),
  );
};

export function schemaOf(type: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  const text = JSON.stringify(z.toJSONSchema(type, { io, override, metadata: named }));
  return tidy(JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/')) as object);
}

/** Raw bytes. Client generators recognize them by format, JSON Schema readers by media type. */
export const bytes: JsonSchema = {
  type: 'string',
  format: 'binary',
  contentMediaType: 'application/octet-stream',
};

/** A header of a response. */
export const textHeader = (description: string) => ({ description, schema: { type: 'string' } });

export function describeFields(
  schema: JsonSchema,
  texts: Readonly<Record<string, string>> = {},
  inside = '',
): JsonSchema {
  if (!schema.properties) return schema;
  const properties = Object.entries(schema.properties).map(([name, field]) => {
    const description = texts[inside + name];
    const inner = describeFields(field, texts, `${inside}${name}.`);
    return [name, { ...inner, ...(description !== undefined && { description }) }] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

function tidy(schema: object): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => !['$schema', '$id', 'id', '$defs'].includes(keyword)),
  );
}

/** RFC 3339 in UTC. The validator's own pattern also checks every leap year and is two hundred characters long. */
const momentPattern = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$`;

function override({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === 'date-time') jsonSchema.pattern = momentPattern;
  // Drops the default bounds of a double, which say nothing about the number.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}
