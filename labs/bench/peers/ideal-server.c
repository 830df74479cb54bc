/*
 * What the machine allows: a server that stores an upload as durably as Holdfast does, and does nothing else. It receives
 * a multipart form whose first part is the file, hashes the file in a second thread while it writes it, syncs what is
 * written every 16 MB in a third one, syncs file and folder, and responds with the SHA-256. One thread and one request
 * for each connection. `ideal-server FOLDER` prints its URL and stores each file under its digest.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
  SLABS = 8,
  SLAB_BYTES = 512 * 1024,
  HEAD_BYTES = 16 * 1024,
  BOUNDARY_BYTES = 256,
  DIGEST_BYTES = 32,
  SYNC_EVERY_BYTES = 16 * 1024 * 1024,
};

struct slab {
  char bytes[SLAB_BYTES];
  size_t from, to;
};

struct upload {
  int socket, file;
  size_t body_left;
  char delimiter[BOUNDARY_BYTES];
  pthread_mutex_t lock;
  pthread_cond_t changed;
  /* Counts of slabs: the hash follows the slabs that were received, and a slab is used again after its hash. */
  size_t received, hashed;
  size_t written;
  int complete;
  unsigned char digest[DIGEST_BYTES];
  struct slab slabs[SLABS];
};

static const char *folder;
static int folder_descriptor;

static void fail(const char *reason) {
  perror(reason);
  exit(1);
}

static void send_text(int socket, const char *text) {
  size_t length = strlen(text);
  if (send(socket, text, length, MSG_NOSIGNAL) != (ssize_t)length) fail("send");
}

/* Reads up to `length` bytes of the body, at least one. */
static size_t receive(struct upload *upload, char *to, size_t length) {
  if (length > upload->body_left) length = upload->body_left;
  ssize_t count = recv(upload->socket, to, length, 0);
  if (count <= 0) fail("the client ended a form early");
  upload->body_left -= count;
  return count;
}

static void write_all(int file, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t count = write(file, bytes, length);
    if (count < 0) fail("write");
    bytes += count;
    length -= count;
  }
}

/* Waits until a count is beyond `seen` or the file is complete. Called with the lock. */
static void wait_beyond(struct upload *upload, const size_t *count, size_t seen) {
  while (*count <= seen && !upload->complete) pthread_cond_wait(&upload->changed, &upload->lock);
}

static void announce(struct upload *upload, size_t *count, size_t more) {
  pthread_mutex_lock(&upload->lock);
  *count += more;
  pthread_cond_broadcast(&upload->changed);
  pthread_mutex_unlock(&upload->lock);
}

static void *hash_slabs(void *argument) {
  struct upload *upload = argument;
  EVP_MD_CTX *hash = EVP_MD_CTX_new();
  EVP_DigestInit_ex(hash, EVP_sha256(), NULL);
  for (;;) {
    pthread_mutex_lock(&upload->lock);
    wait_beyond(upload, &upload->received, upload->hashed);
    int ended = upload->received == upload->hashed;
    pthread_mutex_unlock(&upload->lock);
    if (ended) break;
    struct slab *slab = &upload->slabs[upload->hashed % SLABS];
    EVP_DigestUpdate(hash, slab->bytes + slab->from, slab->to - slab->from);
    announce(upload, &upload->hashed, 1);
  }
  EVP_DigestFinal_ex(hash, upload->digest, NULL);
  EVP_MD_CTX_free(hash);
  return NULL;
}

/* Syncs while the upload runs, so that the sync at its end has little left to wait for. */
static void *sync_early(void *argument) {
  struct upload *upload = argument;
  for (size_t synced = 0;;) {
    pthread_mutex_lock(&upload->lock);
    wait_beyond(upload, &upload->written, synced + SYNC_EVERY_BYTES);
    synced = upload->written;
    int ended = upload->complete;
    pthread_mutex_unlock(&upload->lock);
    if (ended) return NULL;
    if (fdatasync(upload->file) != 0) fail("fdatasync");
  }
}

/* Receives the file up to its delimiter. The first slab already holds the bytes that came with the part's head. */
static void receive_file(struct upload *upload) {
  size_t delimiter = strlen(upload->delimiter);
  for (;;) {
    struct slab *slab = &upload->slabs[upload->received % SLABS];
    char *end = memmem(slab->bytes + slab->from, slab->to - slab->from, upload->delimiter, delimiter);
    size_t tail = 0;
    if (end != NULL) {
      slab->to = end - slab->bytes;
    } else {
      if (upload->body_left == 0) {
        fprintf(stderr, "a form has no end\n");
        exit(1);
      }
      /* The delimiter may begin in the last bytes. */
      tail = slab->to - slab->from < delimiter - 1 ? slab->to - slab->from : delimiter - 1;
      slab->to -= tail;
    }
    /* Hashed and written at once. */
    announce(upload, &upload->received, 1);
    write_all(upload->file, slab->bytes + slab->from, slab->to - slab->from);
    announce(upload, &upload->written, slab->to - slab->from);
    if (end != NULL) return;

    pthread_mutex_lock(&upload->lock);
    while (upload->received - upload->hashed >= SLABS - 1) pthread_cond_wait(&upload->changed, &upload->lock);
    pthread_mutex_unlock(&upload->lock);
    struct slab *next = &upload->slabs[upload->received % SLABS];
    memcpy(next->bytes, slab->bytes + slab->to, tail);
    next->from = 0;
    next->to = tail + receive(upload, next->bytes + tail, SLAB_BYTES - tail);
  }
}

/* Reads the request's head and invites the body; returns where the bytes after the head begin. */
static size_t receive_head(struct upload *upload, char *head, size_t *filled) {
  char *end = NULL;
  while (end == NULL) {
    ssize_t count = recv(upload->socket, head + *filled, HEAD_BYTES - *filled, 0);
    if (count <= 0) return 0;
    *filled += count;
    head[*filled] = '\0';
    end = strstr(head, "\r\n\r\n");
  }
  *end = '\0';
  const char *length = strcasestr(head, "\r\ncontent-length:");
  const char *boundary = strcasestr(head, "boundary=");
  if (length == NULL || boundary == NULL) return 0;
  upload->body_left = strtoull(length + strlen("\r\ncontent-length:"), NULL, 10);
  snprintf(upload->delimiter, BOUNDARY_BYTES, "\r\n--%.*s", (int)strcspn(boundary + 9, "\r\n;"), boundary + 9);
  if (strcasestr(head, "\r\nexpect: 100-continue") != NULL) send_text(upload->socket, "HTTP/1.1 100 Continue\r\n\r\n");
  return end + 4 - head;
}

/* Puts the bytes behind the head of the form's first part into the first slab. */
static void receive_part_head(struct upload *upload, const char *early, size_t length) {
  struct slab *slab = &upload->slabs[0];
  memcpy(slab->bytes, early, length);
  upload->body_left -= length;
  slab->to = length;
  char *end;
  while ((end = memmem(slab->bytes, slab->to, "\r\n\r\n", 4)) == NULL)
    slab->to += receive(upload, slab->bytes + slab->to, SLAB_BYTES - slab->to);
  slab->from = end + 4 - slab->bytes;
}

static void store(struct upload *upload, const char *early, size_t length, char *hex) {
  char temp[4096], path[4096];
  snprintf(temp, sizeof temp, "%s/upload-%d.tmp", folder, upload->socket);
  upload->file = open(temp, O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (upload->file < 0) fail(temp);
  pthread_t hasher, syncer;
  pthread_create(&hasher, NULL, hash_slabs, upload);
  pthread_create(&syncer, NULL, sync_early, upload);
  receive_part_head(upload, early, length);
  receive_file(upload);
  /* The small fields behind the file. */
  char rest[4096];
  while (upload->body_left > 0) receive(upload, rest, sizeof rest);
  pthread_mutex_lock(&upload->lock);
  upload->complete = 1;
  pthread_cond_broadcast(&upload->changed);
  pthread_mutex_unlock(&upload->lock);
  /* The rest of the hash is calculated meanwhile. */
  if (fsync(upload->file) != 0) fail("fsync");
  pthread_join(hasher, NULL);
  pthread_join(syncer, NULL);
  close(upload->file);
  for (int at = 0; at < DIGEST_BYTES; at += 1) sprintf(hex + 2 * at, "%02x", upload->digest[at]);
  snprintf(path, sizeof path, "%s/%s", folder, hex);
  if (rename(temp, path) != 0 || fsync(folder_descriptor) != 0) fail(path);
}

static void *serve(void *argument) {
  struct upload *upload = calloc(1, sizeof *upload);
  upload->socket = (int)(long)argument;
  pthread_mutex_init(&upload->lock, NULL);
  pthread_cond_init(&upload->changed, NULL);
  char head[HEAD_BYTES + 1];
  size_t filled = 0;
  size_t body = receive_head(upload, head, &filled);
  if (body > 0) {
    char hex[2 * DIGEST_BYTES + 1], answer[256];
    store(upload, head + body, filled - body, hex);
    snprintf(answer, sizeof answer, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
             2 * DIGEST_BYTES, hex);
    send_text(upload->socket, answer);
  }
  close(upload->socket);
  free(upload);
  return NULL;
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "ideal-server FOLDER\n");
    return 1;
  }
  folder = arguments[1];
  folder_descriptor = open(folder, O_RDONLY | O_DIRECTORY);
  if (folder_descriptor < 0) fail(folder);
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 64) != 0) fail("listen");
  getsockname(listener, (struct sockaddr *)&address, &length);
  printf("http://127.0.0.1:%d\n", ntohs(address.sin_port));
  fflush(stdout);
  for (;;) {
    int socket = accept(listener, NULL, NULL);
    if (socket < 0) fail("accept");
    pthread_t thread;
    pthread_create(&thread, NULL, serve, (void *)(long)socket);
    pthread_detach(thread);
  }
}
