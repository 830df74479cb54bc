import { expect, test } from 'vitest';
import { maskKey } from './mask-key.ts';

test('a masked key shows its prefix and length only', () => expect(maskKey('hf_aB3dE')).toBe('hf_•••••'));

test('a key without the prefix is masked completely', () => expect(maskKey('secret')).toBe('••••••'));
