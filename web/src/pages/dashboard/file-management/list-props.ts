import type { SortColumn } from '@holdfast/contract/src/files.ts';
import type { FoundFiles } from '../../../api/files.ts';
import type { FileListSearch } from '../../../lib/file-list-search.ts';

export interface FilesProps {
  /** Undefined while the first answer is on its way. */
  readonly list: FoundFiles | undefined;
  /** The rows of another sort, page or filter, shown until the wanted ones are here. */
  readonly fading: boolean;
  readonly address: FileListSearch;
  readonly onSort: (column: SortColumn) => void;
  readonly onSearch: (search: string) => void;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (name: string, withShift: boolean) => void;
  readonly onSelectAll: (all: boolean) => void;
  readonly previews: boolean;
}

export interface ListProps extends FilesProps {
  /** The stored names of the rows. */
  readonly names: readonly string[];
  readonly rule: LinkRule;
  readonly timeZone: string;
}

/** What a link is made of beside its file. The same object for the same rule: rows compare it. */
export type LinkRule = Pick<FoundFiles, 'preferred_domain' | 'show_file_extensions'>;

/** What a row needs beside its file. */
export interface RowProps extends Pick<ListProps, 'onSelect' | 'previews' | 'rule' | 'timeZone'> {
  readonly file: FoundFiles['files'][number];
  /** Its place on the page, from 0. */
  readonly index: number;
  readonly chosen: boolean;
}

/** What a row shows of its file: all that does not change when it is chosen. */
export type FactsProps = Pick<RowProps, 'file' | 'rule' | 'previews' | 'timeZone'>;

export interface DrawnRowProps extends RowProps {
  readonly ref?: ((row: Element | null) => void) | undefined;
}
