import { type PlanChange, type PlanLevel, planLevels, publicLevels } from '@holdfast/contract/src/plans.ts';
import { type Config, loadConfig } from '@holdfast/server/src/config/config.ts';
import type { Command } from 'commander';
import { addCommand } from './add-command.ts';
import { countLimit, sheet, sizeLimit, speedLimit } from './format.ts';
import { openOutput } from './output.ts';

export function addPlans(program: Command): void {
  addCommand(program, 'plans', {
    does: 'Show the limits and prices of every plan, and which of them PLANS_FILE changes.',
    more: 'It reads the settings only, so it shows what the server will use when it is started again.',
    examples: [
      ['plans', 'for people'],
      ['plans --json | jq .plans.house.space_quota', 'one limit; 9007199254740991 means unlimited'],
    ],
  }).action((_options: unknown, command: Command) => {
    const config = loadConfig();
    openOutput(command).say(asJson(config), planLevels.map((level) => asText(config, level)).join('\n\n'));
  });
}

interface Value {
  /** Its member in the plans file. */
  readonly member: string;
  readonly label: string;
  readonly key: keyof PlanChange;
  readonly show: (value: unknown) => string;
}

const number = (show: (value: number) => string) => (value: unknown) => show(Number(value));
const dollars = number((cents) => `$${(cents / 100).toFixed(2)}`);
const types = (found: unknown) => (found instanceof Set ? [...found].join(' ') : 'any');

const values: readonly Value[] = [
  { member: 'name', label: 'Name', key: 'name', show: String },
  { member: 'max_file_size', label: 'File size', key: 'maxFileSize', show: number(sizeLimit) },
  { member: 'space_quota', label: 'Space', key: 'spaceQuota', show: number(sizeLimit) },
  { member: 'slots_quota', label: 'Files', key: 'slotsQuota', show: number(countLimit) },
  { member: 'max_file_download_speed', label: 'Download speed', key: 'maxDownloadMbps', show: number(speedLimit) },
  { member: 'allowed_extensions', label: 'File types', key: 'allowedExtensions', show: types },
  { member: 'monthly_price', label: 'Price a month', key: 'monthlyCents', show: dollars },
  { member: 'yearly_price', label: 'Price a year', key: 'yearlyCents', show: dollars },
];

/** Free and House have no prices that could be changed. */
const valuesOf = (level: PlanLevel) =>
  values.filter(({ member }) => !member.endsWith('_price') || (level !== 'free' && isPublic(level)));

const isPublic = (level: PlanLevel) => publicLevels.some((each) => each === level);

const asPlain = (value: unknown) => (value instanceof Set ? [...value] : value);

function asJson({ plans, planChanges, defaultPlan }: Config) {
  const planOf = (level: PlanLevel) => ({
    ...Object.fromEntries(valuesOf(level).map(({ member, key }) => [member, asPlain(plans[level][key])])),
    changed: valuesOf(level).flatMap(({ member, key }) => (planChanges[level]?.[key] === undefined ? [] : [member])),
  });
  return { default_plan: defaultPlan, plans: Object.fromEntries(planLevels.map((level) => [level, planOf(level)])) };
}

function asText({ plans, planChanges, defaultPlan }: Config, level: PlanLevel): string {
  const notes = [
    ...(level === defaultPlan ? ['the plan of a new account'] : []),
    ...(isPublic(level) ? [] : ['not on the pricing page, never for sale']),
  ];
  const rows = valuesOf(level).map(({ label, key, show }) => {
    const source = planChanges[level]?.[key] === undefined ? '' : '  (PLANS_FILE)';
    return [`  ${label}`, `${show(plans[level][key])}${source}`] as const;
  });
  return `${level}${notes.length > 0 ? `: ${notes.join(', ')}` : ''}\n${sheet(rows)}`;
}
