export const sidebarRow =
  'flex min-h-control w-full items-center gap-2.5 rounded-m px-2.5 text-left text-m text-muted transition-colors duration-100 ' +
  'hover:bg-sunken hover:text-ink data-current:bg-sea-wash data-current:font-medium data-current:text-ink [&_svg]:size-4 [&_svg]:shrink-0';
