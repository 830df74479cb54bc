/** Covers the page while files are dragged over it: it lies inside of the drop zone, which so takes a drop anywhere. */
export function DropOverlay() {
  return (
    <div className="fixed inset-0 z-50 grid place-items-center bg-paper/85 p-4">
      <div className="pointer-events-none relative grid size-full place-items-center overflow-hidden rounded-m border-2 border-dashed border-sea bg-sea-wash/60">
        <p className="text-title-m font-semibold">Drop to add to the queue</p>
      </div>
    </div>
  );
}
