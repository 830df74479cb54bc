import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { connectUploads } from './connect-uploads.ts';
import { useSurroundings } from './use-surroundings.ts';
import { UploadsContext } from './use-uploads.ts';

/** Holds the queue above the dashboard's pages, so that an upload survives moving between them. */
export function UploadProvider({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const [uploads] = useState(() => connectUploads(queries));
  useSurroundings(uploads);
  return <UploadsContext value={uploads}>{children}</UploadsContext>;
}
