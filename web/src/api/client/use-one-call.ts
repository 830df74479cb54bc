import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { isNoticed } from '../session/session-end.ts';

/**
 * A mutation that runs once, however often its button is pressed before the page re-renders. It resolves with undefined
 * if there is nothing to show: for a second press, and if the session is over or belongs to another account. Mutations
 * with a `scope` are queued instead.
 */
export function useOneCall<Result, Variables = void, Context = unknown>(
  options: UseMutationOptions<Result, Error, Variables, Context>,
) {
  const mutation = useMutation(options);
  const isUnderWay = useRef(false);
  const mutateAsync = async (variables: Variables): Promise<Result | undefined> => {
    if (isUnderWay.current && !options.scope) return undefined;
    isUnderWay.current = true;
    try {
      return await mutation.mutateAsync(variables);
    } catch (error) {
      if (isNoticed(error)) return undefined;
      throw error;
    } finally {
      isUnderWay.current = false;
    }
  };
  return { ...mutation, mutateAsync };
}
