import { Skeleton } from '../../../ui/Skeleton.tsx';

/** As high as the rows that will take their place. */
export function SkeletonRows() {
  return Array.from({ length: 6 }, (_, row) => (
    <tr key={row} className="h-15">
      <td className="pl-3">
        <Skeleton className="ml-1 size-4" />
      </td>
      <td className="px-2">
        <Skeleton className="mb-2 h-3.5 w-36" />
        <Skeleton className="h-3 w-52" />
      </td>
      {cells.map(({ title, width }) => (
        <td key={title} className="px-2">
          <Skeleton className={`h-3.5 ${width}`} />
        </td>
      ))}
    </tr>
  ));
}

const cells = [
  { title: 'Type', width: 'w-8' },
  { title: 'Size', width: 'w-16 ml-auto' },
  { title: 'Hits', width: 'w-8 ml-auto' },
  { title: 'Last Accessed', width: 'w-20 ml-4' },
  { title: 'Upload Time', width: 'w-20' },
  { title: 'Actions', width: 'w-14 ml-auto mr-3' },
];
