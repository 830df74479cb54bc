import { clsx } from 'clsx';
import { useTimeZone } from '../../../api/settings.ts';
import { useMedia } from '../../../lib/media.ts';
import { Card } from '../../../ui/Card.tsx';
import { FileCards } from './FileCards.tsx';
import { FileTable } from './FileTable.tsx';
import type { FilesProps } from './list-props.ts';
import { NoFiles } from './NoFiles.tsx';

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
