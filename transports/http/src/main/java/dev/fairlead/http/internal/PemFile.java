package dev.fairlead.http.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of PEM blocks (RFC 7468); text between them is ignored.
 *
 * @param path of the file
 * @param bytes its contents
 * @param blocks in their order
 */
record PemFile(Path path, byte[] bytes, List<Block> blocks) {
    private static final int LARGEST = 1 << 20;
    private static final Pattern BEGIN = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----");

    /**
     * A block.
     *
     * @param label such as {@code CERTIFICATE}
     * @param text between the first and the last line, unchanged
     */
    record Block(String label, String text) {}

    /**
     * Reads a file.
     *
     * @throws IOException if it cannot be read, is larger than 1 MiB or ends within a block; the
     *     message names it
     */
    static PemFile read(Path path) throws IOException {
        byte[] bytes = bytes(path);
        if (bytes.length > LARGEST) {
            throw new IOException(path + " is no PEM file: it has more than 1 MiB");
        }
        return new PemFile(path, bytes, blocks(path, bytes));
    }

    private static byte[] bytes(Path path) throws IOException {
        try (var in = Files.newInputStream(path)) {
            return in.readNBytes(LARGEST + 1);
        } catch (NoSuchFileException e) {
            throw new IOException("there is no file " + path, e);
        } catch (AccessDeniedException e) {
            throw new IOException(path + " cannot be read: Permission denied", e);
        } catch (IOException e) {
            throw new IOException(path + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static List<Block> blocks(Path path, byte[] bytes) throws IOException {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        List<Block> blocks = new ArrayList<>();
        Matcher begin = BEGIN.matcher(text);
        int next = 0;
        while (begin.find(next)) {
            String end = "-----END " + begin.group(1) + "-----";
            int last = text.indexOf(end, begin.end());
            if (last < 0) {
                throw new IOException(path + " is not complete: " + end + " is missing");
            }
            blocks.add(new Block(begin.group(1), text.substring(begin.end(), last)));
            next = last + end.length();
        }
        return blocks;
    }

    /**
     * Decodes a block.
     *
     * @throws IOException if it is not base64
     */
    byte[] decoded(Block block) throws IOException {
        try {
            return Base64.getDecoder().decode(block.text().replaceAll("\\s", ""));
        } catch (IllegalArgumentException e) {
            throw new IOException(path + " is broken: its " + block.label() + " is no base64", e);
        }
    }
}
