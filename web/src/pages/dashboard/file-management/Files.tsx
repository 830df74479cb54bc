import { clsx } from 'clsx';
import { useMemo } from 'react';
import { useTimeZone } from '../../../api/settings.ts';
import { useMedia } from '../../../lib/media.ts';
import { Card } from '../../../ui/Card.tsx';
import { FileCards } from './FileCards.tsx';
import { FileTable } from './FileTable.tsx';
import type { FilesProps, LinkRule, ListProps } from './list-props.ts';
import { NoFiles } from './NoFiles.tsx';

/** A table where there is room for its columns, cards on a phone. */
export function Files(props: FilesProps & Pick<ListProps, 'names'>) {
  const timeZone = useTimeZone();
  const rule = useLinkRule(props.list);
  const narrow = useMedia('(max-width: 859.98px)');
  const { list, fading } = props;
  const List = narrow ? FileCards : FileTable;
  return (
    <Card
      aria-busy={!list || fading}
      className={clsx('overflow-clip transition-opacity duration-150', fading && 'opacity-60')}
    >
      {list && list.files.length === 0 ? (
        <NoFiles list={list} address={props.address} onSearch={props.onSearch} />
      ) : (
        <List {...props} rule={rule} timeZone={timeZone} />
      )}
    </Card>
  );
}

function useLinkRule(list: LinkRule | undefined): LinkRule {
  const { preferred_domain = '', show_file_extensions = false } = list ?? {};
  return useMemo(() => ({ preferred_domain, show_file_extensions }), [preferred_domain, show_file_extensions]);
}
