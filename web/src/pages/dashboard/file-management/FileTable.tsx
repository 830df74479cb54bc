import { Fragment } from 'react';
import { FileRow } from './FileRow.tsx';
import { FileTableHead } from './FileTableHead.tsx';
import type { ListProps } from './list-props.ts';
import { SkeletonRows } from './SkeletonRows.tsx';
import { useDrawnRows } from './use-drawn-rows.ts';

/** Of every row: `h-15`. */
const rowHeight = 60;

export function FileTable(props: ListProps) {
  const { list, names, selected, onSelect, rule, previews, timeZone } = props;
  const { place, rows, rest } = useDrawnRows(names, rowHeight);
  return (
    <div className="overflow-x-auto">
      {/* Columns of a fixed width: they do not move when other rows come into view. */}
      <table aria-rowcount={names.length + 1} className="w-full min-w-180 table-fixed border-separate border-spacing-0">
        <FileTableHead {...props} />
        <tbody ref={place} className={lines}>
          {!list && <SkeletonRows />}
          {rows.map(({ index, gap }) => {
            const file = list?.files[index];
            return (
              file && (
                <Fragment key={file.name}>
                  <Gap height={gap} />
                  <FileRow
                    index={index}
                    file={file}
                    rule={rule}
                    chosen={selected.has(file.name)}
                    onSelect={onSelect}
                    previews={previews}
                    timeZone={timeZone}
                  />
                </Fragment>
              )
            );
          })}
          <Gap height={rest} />
        </tbody>
      </table>
    </div>
  );
}

/** In the place of rows that are not drawn. */
function Gap({ height }: { readonly height: number }) {
  if (height === 0) return null;
  return <tr aria-hidden style={{ height }} />;
}

const lines = '[&>tr:not(:last-child)>td]:border-b [&>tr:not(:last-child)>td]:border-line';
