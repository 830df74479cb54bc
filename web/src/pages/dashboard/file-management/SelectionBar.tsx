import type { StoredFile } from '@holdfast/contract/src/files.ts';
import { ChevronDown, Copy, Star, Trash2, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { errorMessage } from '../../../api/client/errors.ts';
import { useSetFavorites } from '../../../api/files.ts';
import { useDeletion } from '../../../components/use-deletion.tsx';
import { formatCount, formatFiles, formatSize } from '../../../lib/format.ts';
import { isImage } from '../../../lib/is-image.ts';
import { type LinkRule, publicLink } from '../../../lib/link.ts';
import { type LinkForm, linkForms } from '../../../lib/link-forms.ts';
import { shownName } from '../../../lib/shown-name.ts';
import { Button, buttonLook } from '../../../ui/Button.tsx';
import { CopyByHand } from '../../../ui/CopyByHand.tsx';
import { ariaDisabledUnless } from '../../../ui/aria-disabled.ts';
import { Disclosure, disclosureItem } from '../../../ui/Disclosure.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useCopied } from '../../../ui/use-copied.ts';

export interface SelectionBarProps {
  readonly files: readonly StoredFile[];
  readonly rule: LinkRule;
  readonly more: More | undefined;
  readonly onNone: () => void;
  readonly onDeleted: (names: readonly string[]) => void;
}

/** The found files of other pages, if all of this page are selected. */
export interface More {
  readonly label: string;
  readonly busy: boolean;
  readonly onSelect: () => void;
}

/** Stays in view at the lower edge of the window. After everything else, so that nothing moves when it appears. */
export function SelectionBar({ files, rule, more, onNone, onDeleted }: SelectionBarProps) {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  return (
    <section ref={showFocus} aria-label="Selected files" className={look}>
      <output className="mr-auto px-1 font-medium whitespace-nowrap">
        <span className="figures">{formatCount(files.length)}</span> selected,{' '}
        <span className="figures">{formatSize(size)}</span>
      </output>
      {more && (
        <Button variant="quiet" busy={more.busy} {...ariaDisabledUnless(!more.busy, more.onSelect)}>
          {more.label}
        </Button>
      )}
      <div className="flex items-center gap-2 max-sm:order-last max-sm:w-full max-sm:[&_svg]:hidden">
        <CopyLinks files={files} rule={rule} />
        <FavoriteAll files={files} />
        <DeleteAll files={files} onDeleted={onDeleted} />
      </div>
      <IconButton label="Clear selection" onClick={onNone}>
        <X />
      </IconButton>
    </section>
  );
}

/** The row that was selected by key may be where the bar has appeared. Under a pointer rows never move. */
function showFocus(bar: HTMLElement | null): void {
  if (bar) document.querySelector(':focus-visible')?.scrollIntoView({ block: 'nearest' });
}

const look =
  'sticky bottom-3 z-30 mt-3 flex flex-wrap items-center gap-2 rounded-m border border-edge bg-surface p-2 text-m ' +
  // Above the tray of uploads.
  '[:root:has(#show-uploads)_&]:bottom-30';

function CopyLinks({ files, rule }: Pick<SelectionBarProps, 'files' | 'rule'>) {
  const [state, copy, forget] = useCopied();
  const [chosen, setChosen] = useState('');
  const button = useRef<HTMLButtonElement>(null);
  const copyAs = async (form: LinkForm) => {
    const links = files.map((file) =>
      linkForms[form]({
        name: shownName(file.original_name),
        url: publicLink(file, rule),
        isImage: isImage(file),
      }),
    );
    const text = links.join('\n');
    setChosen(text);
    if (await copy(text)) toast.success(`${links.length === 1 ? 'Link' : 'Links'} copied to clipboard!`);
    else toast.error(`Failed to copy ${links.length === 1 ? 'link' : 'links'}`);
  };
  return (
    <>
      <Disclosure
        above
        triggerRef={button}
        trigger={
          <>
            <Copy aria-hidden />
            Copy links
            <ChevronDown aria-hidden />
          </>
        }
        triggerClassName={buttonLook({})}
      >
        {formNames.map((form) => (
          <button key={form} type="button" className={disclosureItem} onClick={() => void copyAs(form)}>
            {form}
          </button>
        ))}
      </Disclosure>
      {state === 'denied' && <CopyByHand text={chosen} label="Links to copy" beside={button} onClose={forget} />}
    </>
  );
}

const formNames = Object.keys(linkForms) as LinkForm[];

function FavoriteAll({ files }: Pick<SelectionBarProps, 'files'>) {
  const { mutateAsync, isPending } = useSetFavorites();
  const isFavorite = !files.every((file) => file.is_favorite);
  const change = async () => {
    try {
      if (await mutateAsync({ files: files.map(({ name }) => name), isFavorite }))
        toast.success(
          `${isFavorite ? 'Added' : 'Removed'} ${formatFiles(files.length)} ${isFavorite ? 'to' : 'from'} favorites`,
        );
    } catch (error) {
      toast.error(errorMessage(error));
    }
  };
  return (
    <Button busy={isPending} {...ariaDisabledUnless(!isPending, () => void change())}>
      {!isPending && <Star aria-hidden />}
      {isFavorite ? 'Favorite' : 'Unfavorite'}
    </Button>
  );
}

function DeleteAll({ files, onDeleted }: Pick<SelectionBarProps, 'files' | 'onDeleted'>) {
  const { remove, isDeleting } = useDeletion();
  const removeAll = async () => onDeleted(await remove(files.map(({ name }) => name)));
  return (
    <Button variant="danger" busy={isDeleting} {...ariaDisabledUnless(!isDeleting, () => void removeAll())}>
      {!isDeleting && <Trash2 aria-hidden />}
      Delete
    </Button>
  );
}
