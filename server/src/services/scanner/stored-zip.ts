import { crc32 } from 'node:zlib';

/** Returns a zip that contains one uncompressed file. */
export function storedZip(name: string, bytes: Buffer): Buffer {
  const path = Buffer.from(name);
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(20, 0);
  // 1980-01-01, the first date that a zip can represent.
  facts.writeUInt16LE(0x21, 8);
  facts.writeUInt32LE(crc32(bytes), 10);
  facts.writeUInt32LE(bytes.length, 14);
  facts.writeUInt32LE(bytes.length, 18);
  facts.writeUInt16LE(path.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, path, bytes]);
  const madeBy = Buffer.from([20, 0]);
  // Comment, disk number, attributes and offset of the local header are all 0.
  const central = Buffer.concat([Buffer.from('PK\x01\x02'), madeBy, facts, Buffer.alloc(14), path]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}
