package dev.fairlead.cli.ask;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Lets the person write a longer text.
 *
 * @param command the program and its first arguments; the file to edit follows
 */
record Editor(List<String> command) {
    /** The editor that the environment names, as {@code VISUAL} or {@code EDITOR}; else vi. */
    static Editor of(Map<String, String> environment) {
        String named = environment.getOrDefault("VISUAL", environment.getOrDefault("EDITOR", "vi"));
        return new Editor(List.of((named.isBlank() ? "vi" : named.strip()).split("\\s+")));
    }

    /** The text as the person leaves it; as it was, with a word about why, if that fails. */
    String edit(Dialog dialog, String text) throws IOException, InterruptedException {
        Path file = Files.createTempFile("fairlead-", ".txt"); // readable by this user only
        try {
            Files.writeString(file, text);
            List<String> whole = new ArrayList<>(command);
            whole.add(file.toString());
            dialog.lend(() -> await(new ProcessBuilder(whole).inheritIO().start()));
            return Files.readString(file).stripTrailing();
        } catch (IOException e) {
            dialog.say("Cannot start the editor: " + e.getMessage());
            return text;
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** Waits for the editor, which must not keep the terminal when the caller waits no longer. */
    private static void await(Process editor) throws InterruptedException {
        try {
            editor.waitFor();
        } catch (InterruptedException e) {
            end(editor);
            throw e;
        }
    }

    /** Ends the editor with the programs that it started, which would keep the terminal too. */
    private static void end(Process editor) throws InterruptedException {
        List<ProcessHandle> started = new ArrayList<>(editor.descendants().toList());
        started.forEach(ProcessHandle::destroy);
        editor.destroy(); // it may still tidy the terminal
        if (!editor.waitFor(1, TimeUnit.SECONDS)) {
            editor.descendants().forEach(started::add);
            editor.destroyForcibly();
        }
        started.forEach(ProcessHandle::destroyForcibly);
    }
}
