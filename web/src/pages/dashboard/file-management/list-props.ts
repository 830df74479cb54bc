import type { SortColumn } from '@holdfast/contract/src/limits.ts';
import type { FoundFiles } from '../../../api/files.ts';
import type { LinkRule } from '../../../lib/link.ts';
import type { FileListSearch } from '../../../lib/search-params.ts';

export interface FilesProps {
  /** Undefined until the first response. */
  readonly list: FoundFiles | undefined;
  /** True while the rows of the previous sort order, page or filter are shown, until the requested ones have loaded. */
  readonly fading: boolean;
  readonly address: FileListSearch;
  readonly onSort: (column: SortColumn) => void;
  readonly onSearch: (search: string) => void;
  readonly onFavorites: (only: boolean) => void;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (name: string, withShift: boolean) => void;
  readonly onSelectAll: (all: boolean) => void;
  /** Stays the same function, because rows compare it. */
  readonly onDeleted: (names: readonly string[]) => void;
  readonly previews: boolean;
}

export interface ListProps extends FilesProps {
  readonly names: readonly string[];
  /** The object stays the same while its values do, because rows compare it. */
  readonly rule: LinkRule;
  readonly timeZone: string;
}

/** Props of a row besides its file. */
export interface RowProps extends Pick<ListProps, 'onSelect' | 'onDeleted' | 'previews' | 'rule' | 'timeZone'> {
  readonly file: FoundFiles['files'][number];
  readonly index: number;
  readonly chosen: boolean;
}

/** The facts of a file that do not change when it is selected. */
export interface FactsProps extends Pick<RowProps, 'file' | 'rule' | 'previews' | 'timeZone' | 'onDeleted'> {
  /** -1 in a grid, whose rows are one tab stop each. */
  readonly tabIndex?: -1;
}

export interface DrawnRowProps extends RowProps {
  readonly ref?: ((row: Element | null) => void) | undefined;
}
