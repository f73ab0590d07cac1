package dev.fairlead.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.sql.SQLException;

/** Counts what reaches a database, from outside of the store. */
interface WriteCount {
    long now() throws IOException, SQLException;

    static WriteCount of(String url) {
        return url.startsWith("file:")
                ? new LogOfSqlite(Path.of(url.substring("file:".length()) + "-wal"))
                : new Wal(url)::rowsWritten;
    }

    /**
     * The pages in the write-ahead log of an SQLite file. Where the log was restarted between two
     * looks they cannot be compared.
     */
    final class LogOfSqlite implements WriteCount {
        private static final int HEADER = 32;
        private static final int FRAME_HEADER = 24;
        private static final int SALT = 16;

        private final Path log;
        private long salt;

        LogOfSqlite(Path log) {
            this.log = log;
        }

        @Override
        public long now() {
            try (FileChannel channel = FileChannel.open(log)) {
                ByteBuffer header = read(channel, 0, HEADER);
                long present = header.getLong(SALT);
                if (salt != 0 && salt != present) {
                    throw new IllegalStateException("the log started again, read it again");
                }
                salt = present;
                return frames(channel, FRAME_HEADER + header.getInt(8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Frames of an earlier log behind those of this one have another salt. */
        private long frames(FileChannel channel, int size) throws IOException {
            long frames = 0;
            for (long at = HEADER; at + size <= channel.size(); at += size) {
                if (read(channel, at, FRAME_HEADER).getLong(8) != salt) {
                    break;
                }
                frames++;
            }
            return frames;
        }

        private static ByteBuffer read(FileChannel channel, long at, int length)
                throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(length);
            while (bytes.hasRemaining()) {
                if (channel.read(bytes, at + bytes.position()) < 0) {
                    throw new IOException("the log is shorter than it should be");
                }
            }
            return bytes;
        }
    }
}
