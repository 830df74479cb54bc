import { type JsonSchema, namedSchemas } from '../openapi-schemas.ts';
import type { Operation, Parameter } from '../openapi-types.ts';

export interface FieldGroup {
  readonly name: string;
  readonly fields: readonly DocumentedField[];
}

export interface DocumentedField {
  /** Nested names are joined by dots, and `[]` marks the items of a list. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly text: string;
}

const schemas = namedSchemas();
const groupNames = { path: 'Path', query: 'Query', header: 'Headers' } as const;

export function parameterGroups(parameters: readonly Parameter[]): FieldGroup[] {
  const byPlace = Map.groupBy(parameters, (parameter) => parameter.in);
  return [...byPlace].map(([place, members]) => ({
    name: groupNames[place],
    fields: members.map(({ name, schema, description, required = false }) => ({
      name,
      type: typeOf(schema),
      isRequired: required,
      text: description,
    })),
  }));
}

export function bodyGroups({ requestBody }: Operation): FieldGroup[] {
  return Object.entries(requestBody?.content ?? {})
    .filter(([, { schema }]) => schema?.properties)
    .map(([type, { schema = {} }]) => ({
      name: type === 'application/json' ? 'JSON body' : 'Form fields',
      fields: fieldsOf(schema),
    }));
}

export function fieldsOf(schema: JsonSchema, before = ''): DocumentedField[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const inner = resolved(property);
    const name = `${before}${key}`;
    const field = { name, type: typeOf(inner), isRequired: required.has(key), text: textOf(key, property, inner) };
    const members = inner.items ? fieldsOf(resolved(inner.items), `${name}[].`) : fieldsOf(inner, `${name}.`);
    return [field, ...members];
  });
}

const textOf = (key: string, property: JsonSchema, inner: JsonSchema) =>
  key === 'success' ? '`true` on success.' : (property.description ?? inner.description ?? '');

function resolved(schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (schemas[name] ?? {});
}

function typeOf(schema: JsonSchema): string {
  const facts = [kindOf(schema), boundsOf(schema), defaultOf(schema)];
  return facts.filter((fact) => fact !== '').join(', ');
}

function kindOf(schema: JsonSchema): string {
  const { const: only, enum: words, anyOf, items, format, contentMediaType, type = 'object' } = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (words) return words.map((word) => `\`${String(word)}\``).join(' or ');
  if (anyOf) return anyOf.map(kindOf).join(' or ');
  if (items) return items.enum ? 'list' : `list of ${kindOf(resolved(items))}s`;
  if (format === 'date-time') return 'time';
  if (contentMediaType !== undefined) return 'file';
  return type === 'string' ? 'text' : type;
}

function boundsOf({ minimum, maximum, maxLength, maxItems }: JsonSchema): string {
  if (maxLength !== undefined) return `at most ${maxLength} characters`;
  if (maxItems !== undefined) return `at most ${maxItems}`;
  if (minimum === undefined || maximum === undefined) return '';
  return maximum >= 1_000_000_000 ? `from ${minimum}` : `${minimum} to ${maximum}`;
}

const defaultOf = ({ default: value }: JsonSchema) =>
  value === undefined || value === '' ? '' : `default \`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
