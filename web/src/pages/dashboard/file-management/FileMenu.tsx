import { Link } from '@tanstack/react-router';
import { Ellipsis, ExternalLink, Info, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useDeletion } from '../../../components/use-deletion.tsx';
import { publicLink } from '../../../lib/link.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Menu, MenuItem } from '../../../ui/Menu.tsx';
import type { FactsProps } from './list-props.ts';

type FileMenuProps = Pick<FactsProps, 'file' | 'rule' | 'onDeleted' | 'tabIndex'>;

/** A list has hundreds of these: the menu itself is made when its button is pressed for the first time. */
export function FileMenu({ tabIndex, ...props }: FileMenuProps) {
  const [isMade, setMade] = useState(false);
  const button = {
    label: `More for ${shownName(props.file.original_name)}`,
    className: 'touch:w-11',
    children: <Ellipsis />,
    tabIndex,
  };
  if (!isMade) return <IconButton {...button} aria-haspopup="menu" onClick={() => setMade(true)} />;
  return (
    <Menu defaultOpen trigger={<IconButton {...button} />}>
      <Items {...props} />
    </Menu>
  );
}

function Items({ file, rule, onDeleted }: Omit<FileMenuProps, 'tabIndex'>) {
  const { remove } = useDeletion();
  return (
    <>
      <MenuItem asChild>
        <Link to="/dashboard/file/$name" params={{ name: file.name }}>
          <Info aria-hidden />
          Details
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <a href={publicLink(file, rule)} target="_blank" rel="noreferrer">
          <ExternalLink aria-hidden />
          Open
        </a>
      </MenuItem>
      <MenuItem className="text-danger" onSelect={() => void remove([file.name]).then(onDeleted)}>
        <Trash2 aria-hidden />
        Delete
      </MenuItem>
    </>
  );
}
