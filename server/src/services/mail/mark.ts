/** The logo in an email: clients draw no SVG, and many load nothing from the network. */
export const markId = 'mark@holdfast';

export const mark = {
  cid: markId,
  filename: 'mark.png',
  contentDisposition: 'inline',
  content: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAACwAAAAsBAMAAADsqkcyAAAALVBMVEUAaGoXdngug4VGkZNdn6B0ra6LuruiyMm51tbR5OTo8fH///8AaGoAaGoAaGr+znr7AAAAD3RSTlP///////////////8AVaoIr7LZAAAA8UlEQVR42s3TrQ7CMBQF4Lux8JdAhkJgJgkYPGYGAxaHwWNAzxCeAD9DCK6K/6znFQrhARA8AA9BCYht3ILlZEuTL81ym/WQUqcbJVK+KkVKpVT7ky/0kZJmYqLozPGdLhyX6MZxmX7GclmurdnNYcRtzwJDhnPAmGEH8LmPjw7sJM3Nn3Nvx3Jw5DQDtBjuAqtPrUNnltYqJCAwSaotoo4U/VB6yZnhF47B3EFidkssqbltb6gh4/8zD48Gi+KebExTBwzHuSh11HBKFnwHLuWjGAtPs6sfsmWMK6/3vXyJ4SIbrr2hJIZKmQpoqCtb7gdoLVyCu+J0JQAAAABJRU5ErkJggg==',
    'base64',
  ),
} as const;
