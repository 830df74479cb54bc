import type { FileList, SortColumn } from '@holdfast/contract/src/files.ts';
import { clsx } from 'clsx';
import { useTimeZone } from '../../../api/settings.ts';
import { useMedia } from '../../../lib/media.ts';
import { Card } from '../../../ui/Card.tsx';
import { FileCards } from './FileCards.tsx';
import { FileTable } from './FileTable.tsx';
import { NoFiles } from './NoFiles.tsx';
import type { Sorting } from './sorting.ts';

export interface FilesProps {
  /** Undefined while the first answer is on its way. */
  readonly list: FileList | undefined;
  /** The rows of another sort or page, shown until the wanted ones are here. */
  readonly fading: boolean;
  readonly page: number;
  readonly sorting: Sorting;
  readonly onSort: (column: SortColumn) => void;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (name: string, withShift: boolean) => void;
  readonly onSelectAll: (all: boolean) => void;
  readonly previews: boolean;
}

/** What a row needs beside its file. */
export interface RowProps extends Pick<FilesProps, 'onSelect' | 'previews'> {
  readonly file: FileList['files'][number];
  readonly rule: FileList;
  readonly chosen: boolean;
  readonly timeZone: string;
}

export interface ListProps extends FilesProps {
  readonly timeZone: string;
}

/** A table where there is room for its columns, cards on a phone. */
export function Files(props: FilesProps) {
  const timeZone = useTimeZone();
  const narrow = useMedia('(max-width: 859.98px)');
  const { list, fading, page } = props;
  if (list && list.files.length === 0)
    return <NoFiles pagination={list.pagination} page={page} sorting={props.sorting} />;
  return (
    <Card aria-busy={!list || fading} className={clsx('transition-opacity duration-150', fading && 'opacity-60')}>
      {narrow ? <FileCards {...props} timeZone={timeZone} /> : <FileTable {...props} timeZone={timeZone} />}
    </Card>
  );
}
