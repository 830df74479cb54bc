/**
 * What most people would write: Express with multer, which stores a form's file in a folder, and its static files. It
 * knows no accounts, has no database and syncs nothing, so a power cut loses what it has acknowledged.
 * `popular-server.mjs FOLDER` prints its URL.
 */
import express from 'express';
import multer from 'multer';

const folder = process.argv[2];
const app = express();
app.post('/api/v3/upload', multer({ dest: folder }).single('file'), (request, response) => {
  response.json({ url: `http://${request.headers.host}/${request.file.filename}` });
});
app.use(express.static(folder));
const server = app.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
