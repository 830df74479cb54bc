import type { FileList, SortColumn } from '@holdfast/contract/src/files.ts';
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
