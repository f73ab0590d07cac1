package dev.fairlead.examples;

// @start region="library"
import static dev.fairlead.protocol.prompts.PromptMessage.user;

import dev.fairlead.json.Default;
import dev.fairlead.json.Doc;
import dev.fairlead.json.JsonInline;
import dev.fairlead.json.Matches;
import dev.fairlead.json.Range;
import dev.fairlead.json.Size;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.annotation.McpComplete;
import dev.fairlead.server.annotation.McpPrompt;
import dev.fairlead.server.annotation.McpResource;
import dev.fairlead.server.annotation.McpTool;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Completion;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** A small library, its features declared by annotations. */
record Library(List<Book> books) {
    @JsonInline
    record Isbn(@Matches("[0-9]{13}") String value) {}

    /**
     * A book.
     *
     * @param pages how many pages it has
     */
    record Book(Isbn isbn, String title, String author, int pages) {}

    enum Tone {
        FRIENDLY,
        STRICT
    }

    static McpServer.Builder server() {
        Library library =
                new Library(
                        List.of(
                                book("9780141439518", "Pride and Prejudice", "Jane Austen", 480),
                                book("9780141439471", "Frankenstein", "Mary Shelley", 352),
                                book("9780141439556", "Wuthering Heights", "Emily Brontë", 416)));
        return McpServer.named("library", "1.0.0").features(LibraryMcp.of(library));
    }

    private static Book book(String isbn, String title, String author, int pages) {
        return new Book(new Isbn(isbn), title, author, pages);
    }

    /**
     * Finds books by words in their title or author.
     *
     * @param words words to look for, in any order
     */
    @McpTool(title = "Find books", readOnly = true, closedWorld = true)
    List<Book> findBooks(
            @Size(min = 1) String words, @Range(min = 1, max = 50) @Default("10") int limit) {
        return books.stream().filter(book -> matches(book, words)).limit(limit).toList();
    }

    private static boolean matches(Book book, String words) {
        String text = (book.title() + " " + book.author()).toLowerCase(Locale.ROOT);
        return Arrays.stream(words.toLowerCase(Locale.ROOT).split(" ")).allMatch(text::contains);
    }

    /** Recommends the shortest book that is long enough, and counts those that it looked at. */
    @McpTool(readOnly = true, closedWorld = true)
    Book recommend(@Doc("How many pages it must have") @Default("0") int pages, Call call) {
        call.progress(books.size(), books.size(), "looked at all books");
        return books.stream()
                .filter(book -> book.pages() >= pages)
                .min(Comparator.comparingInt(Book::pages))
                .orElseThrow(() -> new ToolFailedException("no book is that long"));
    }

    /** One book. */
    @McpResource(value = "book://{isbn}", list = "isbns")
    Book book(Isbn isbn) {
        return books.stream()
                .filter(book -> book.isbn().equals(isbn))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no book " + isbn.value()));
    }

    List<Isbn> isbns() {
        return books.stream().map(Book::isbn).toList();
    }

    @McpComplete(of = "book://{isbn}", argument = "isbn")
    List<String> completeIsbn(Completion typed) {
        return isbns().stream()
                .map(Isbn::value)
                .filter(isbn -> isbn.startsWith(typed.value()))
                .toList();
    }

    /** Asks for a review in the style of a magazine. */
    @McpPrompt
    GetPromptResult review(Isbn isbn, @Default("FRIENDLY") Tone tone) {
        String style = tone.name().toLowerCase(Locale.ROOT);
        return GetPromptResult.of(
                user("Write a " + style + " review of \"" + book(isbn).title() + "\"."));
    }

    public static void main(String[] args) {
        server().build().serve(Place.of(args));
    }
}
// @end
