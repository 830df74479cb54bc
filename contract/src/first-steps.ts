/** What the first owner of a server does once. Nobody else has this list. */
import * as z from 'zod/mini';

export const stepNames = ['address', 'mail', 'backup', 'sign_up', 'upload', 'api_key'] as const;
export type StepName = (typeof stepNames)[number];

export const firstSteps = z.object({
  steps: z.array(z.object({ step: z.enum(stepNames), done: z.boolean() })),
  /** The folder that keeps all emails while there is no mail server. */
  outbox: z.nullable(z.string()),
});
export type FirstSteps = z.infer<typeof firstSteps>;

export const firstStepsChange = z.union([
  z.object({ copied: z.literal('api_key') }),
  z.object({ send_email: z.literal(true) }),
  z.object({ dismiss: z.literal(true) }),
]);
export type FirstStepsChange = z.infer<typeof firstStepsChange>;
