import * as z from 'zod/mini';

export const errorReply = z.object({
  success: z.literal(false),
  error: z.union([z.string(), z.object({ code: z.string(), message: z.string() })]),
});
export type ErrorReply = z.infer<typeof errorReply>;
