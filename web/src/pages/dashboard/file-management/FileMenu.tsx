import { Link } from '@tanstack/react-router';
import { Ellipsis, ExternalLink, Info, Trash2 } from 'lucide-react';
import { type Ref, useState } from 'react';
import { useDeletion } from '../../../components/use-deletion.tsx';
import { publicLink } from '../../../lib/link.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Menu, MenuItem } from '../../../ui/Menu.tsx';
import { takeFocus } from '../../../ui/take-focus.ts';
import type { FactsProps } from './list-props.ts';

type FileMenuProps = Pick<FactsProps, 'file' | 'rule' | 'onDeleted' | 'tabIndex'>;

/** A list has hundreds of these: the menu itself is made when its button is pressed for the first time. */
export function FileMenu({ tabIndex, ...props }: FileMenuProps) {
  const [made, setMade] = useState<'by key' | 'by pointer'>();
  const button = {
    label: `More for ${shownName(props.file.original_name)}`,
    className: 'touch:w-11',
    children: <Ellipsis />,
    tabIndex,
  };
  if (!made)
    return (
      <IconButton
        {...button}
        aria-haspopup="menu"
        onClick={({ detail }) => setMade(detail === 0 ? 'by key' : 'by pointer')}
      />
    );
  return (
    <Menu defaultOpen trigger={<IconButton {...button} />}>
      {/* The library has not seen the key that made the menu, so it would leave the focus on the menu itself. */}
      <Items {...props} firstRef={made === 'by key' ? takeFocus : undefined} />
    </Menu>
  );
}

interface ItemsProps extends Omit<FileMenuProps, 'tabIndex'> {
  readonly firstRef: Ref<HTMLDivElement> | undefined;
}

function Items({ file, rule, onDeleted, firstRef }: ItemsProps) {
  const { remove } = useDeletion();
  return (
    <>
      <MenuItem asChild ref={firstRef}>
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
