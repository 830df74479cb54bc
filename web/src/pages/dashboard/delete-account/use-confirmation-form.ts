import { deletionWord } from '@holdfast/contract/src/rules.ts';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';

interface Confirmation {
  readonly typed: string;
}

const confirmation = z.object({
  typed: z
    .string()
    .check(z.refine((typed) => typed.toLowerCase() === deletionWord, `Please type '${deletionWord}' to confirm`)),
});

/** The word is asked for when the button is pressed, and from then on at every letter. */
export function useConfirmationForm(onConfirmed: () => Promise<void>) {
  const form = useForm({
    resolver: standardSchemaResolver<Confirmation, unknown, Confirmation>(confirmation),
    defaultValues: { typed: '' },
  });
  return { form, submit: form.handleSubmit(onConfirmed) };
}
