import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { isNoticed } from '../session/session-end.ts';

/**
 * A mutation that runs once, however often its button is pressed before the page re-renders. The promise of a second
 * press never settles, so that only the first press shows a result. Mutations with a `scope` are queued instead. If the
 * session is over, or belongs to another account, the page is replaced: the mutation ends, but its promise never
 * settles.
 */
export function useOneCall<Result, Variables = void, Context = unknown>(
  options: UseMutationOptions<Result, Error, Variables, Context>,
) {
  const mutation = useMutation(options);
  const isUnderWay = useRef(false);
  const mutateAsync = async (variables: Variables): Promise<Result> => {
    if (isUnderWay.current && !options.scope) return new Promise<never>(() => {});
    isUnderWay.current = true;
    try {
      return await mutation.mutateAsync(variables);
    } catch (error) {
      if (isNoticed(error)) return new Promise<never>(() => {});
      throw error;
    } finally {
      isUnderWay.current = false;
    }
  };
  return { ...mutation, mutateAsync };
}
