package dev.fairlead.cli;

import dev.fairlead.cli.view.Attachment;
import dev.fairlead.cli.view.OutPath;
import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.InvalidResultException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** Saves the attachments of an answer where {@code --out} says. */
final class Saving {
    private final Console console;
    private final @Nullable OutPath place;
    private final Function<JsonObject, List<Attachment>> attachments;

    /**
     * Checks the place before a request is sent to the server.
     *
     * @param out the value of the option {@code --out}; null saves nothing
     * @param attachments of an answer
     * @throws UsageException if nothing can be saved there
     */
    Saving(
            Console console,
            @Nullable String out,
            Function<JsonObject, List<Attachment>> attachments) {
        this.console = console;
        this.attachments = attachments;
        try {
            place = out == null ? null : OutPath.of(out);
        } catch (IOException e) {
            throw new UsageException("--out " + e.getMessage());
        }
    }

    /**
     * Saves the attachments of the answer and prints their place.
     *
     * @param status of the command if saving succeeds; that of a failed tool stays
     * @return the exit status
     */
    int save(JsonObject answer, int status) {
        if (place == null) {
            return status;
        }
        try {
            List<Attachment> found = attachments.apply(answer);
            place.save(found, this::say);
            if (found.isEmpty()) {
                console.say("Nothing to save: the result contains no image, audio or resource");
            }
            return status;
        } catch (InvalidResultException | JsonBindingException e) {
            return failed(e, status, ExitStatus.NO_ANSWER);
        } catch (IOException e) {
            return failed(e, status, ExitStatus.NOT_SAVED);
        }
    }

    private void say(Attachment attachment, Path file) {
        console.say("Saved " + file + " (" + attachment.summary() + ")");
    }

    private int failed(Exception e, int status, int why) {
        console.say("fairlead: --out " + e.getMessage());
        return status == ExitStatus.OK ? why : status;
    }
}
