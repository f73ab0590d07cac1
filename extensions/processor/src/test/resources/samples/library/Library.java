package library;

import static dev.fairlead.protocol.prompts.PromptMessage.user;

import dev.fairlead.json.Default;
import dev.fairlead.json.Doc;
import dev.fairlead.json.JsonInline;
import dev.fairlead.json.Matches;
import dev.fairlead.json.Range;
import dev.fairlead.json.Size;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.base.Role;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.tools.Header;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.annotation.McpComplete;
import dev.fairlead.server.annotation.McpIcon;
import dev.fairlead.server.annotation.McpPrompt;
import dev.fairlead.server.annotation.McpResource;
import dev.fairlead.server.annotation.McpTool;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Completion;

import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A library of two books. */
@NullMarked
record Library(List<Book> books) {
    /** Names a book. */
    @JsonInline
    record Isbn(@Matches("[0-9]{3}") String value) {}

    /**
     * A book.
     *
     * @param title as it stands on the cover
     */
    record Book(Isbn isbn, String title, Optional<Tone> tone) {}

    enum Tone {
        FRIENDLY,
        @Doc("Without mercy")
        STRICT
    }

    Library() {
        this(
                List.of(
                        new Book(new Isbn("100"), "Ropes & knots", Optional.empty()),
                        new Book(new Isbn("200"), "Knots at sea", Optional.of(Tone.STRICT))));
    }

    /**
     * Finds books by words in their title, {@code <b>} among them.
     *
     * <p>Best first.
     *
     * @param words words of the <i>title</i>, in any order
     * @param call not described, since it is no argument
     */
    @McpTool(
            title = "Find books",
            readOnly = true,
            closedWorld = true,
            blocking = true,
            acceptTextArguments = true,
            holdsWhileAsking = true,
            timeout = "PT10S",
            icons = @McpIcon(src = "https://library.example/find.png", mimeType = "image/png"),
            meta = "{\"example/rank\": 1}")
    List<Book> findBooks(
            @Size(min = 1) String words,
            @Range(max = 50) @Default("10") int limit,
            @Doc("Only books of this tone") @Header("Tone") @Nullable Tone tone,
            Call call)
            throws IOException {
        call.progress(1);
        return books.stream()
                .filter(book -> book.title().toLowerCase(Locale.ROOT).contains(words))
                .filter(book -> tone == null || book.tone().equals(Optional.of(tone)))
                .limit(limit)
                .toList();
    }

    /** Forgets everything. */
    @McpTool(
            name = "forget.all",
            destructive = true,
            idempotent = true,
            ownThread = true,
            task = TaskSupport.OPTIONAL,
            taskLater = true,
            rerunAfterCrash = true,
            immediateResponse = "Forgetting",
            visibleTo = "isKnown")
    static void forget() {}

    // @start region="task-when"
    /** Copies pages. */
    @McpTool(task = TaskSupport.OPTIONAL, taskWhen = "takesLong")
    String copy(Isbn isbn, int pages, Call call) {
        return call.task().isPresent() ? "later" : "at once";
    }

    boolean takesLong(Caller caller, int pages) {
        return pages > 10;
    }

    // @end

    static boolean isKnown(Caller caller) {
        return true;
    }

    /** One book. */
    @McpResource(
            value = "book://{isbn}",
            title = "A book",
            audience = Role.ASSISTANT,
            priority = 0.5,
            cacheFor = "PT1H",
            list = "all")
    Book book(Isbn isbn) {
        return books.stream().filter(book -> book.isbn().equals(isbn)).findFirst().orElseThrow();
    }

    List<Isbn> all() {
        return books.stream().map(Book::isbn).toList();
    }

    @McpComplete(of = "book://{isbn}", argument = "isbn")
    List<String> isbns(Completion typed) {
        return all().stream()
                .map(Isbn::value)
                .filter(isbn -> isbn.startsWith(typed.value()))
                .toList();
    }

    /** How to behave here. */
    @McpResource(
            value = "library://rules",
            mimeType = "text/markdown",
            size = 12,
            cacheFor = "P1D",
            cachePublic = true,
            ownThread = true)
    String rules(Call call) {
        return "*Be silent.*";
    }

    /** A review in the style of a magazine. */
    @McpPrompt(title = "Review", ownThread = true)
    GetPromptResult review(Isbn isbn, @Default("FRIENDLY") Tone tone) {
        return GetPromptResult.of(user("Write a " + tone + " review of " + book(isbn).title()));
    }

    @McpComplete(of = "review", argument = "isbn")
    List<String> reviewed(Completion typed, Call call) {
        return isbns(typed);
    }
}
