/**
 * Features declared by annotations on methods.
 *
 * <p>The annotation processor of Fairlead (artifact {@code fairlead-processor}) turns the annotated
 * methods of a class into declarations in plain code, at compile time: for a class {@code Library}
 * it writes a class {@code LibraryMcp} beside it, whose method {@code of} returns the argument for
 * {@link dev.fairlead.server.Features#features}. Without the processor the annotations mean
 * nothing.
 *
 * {@snippet :
 * record Library(Catalog catalog) {
 *     /**
 *      * Finds books by words in their title.
 *      *
 *      * @param words words of the title, in any order
 *      *&#47;
 *     @McpTool(readOnly = true)
 *     List<Book> findBooks(@Size(min = 1) String words, @Default("10") int limit, Call call) {
 *         return catalog.find(words, limit, call.deadline());
 *     }
 * }
 *
 * McpServer.named("library", "3.1.0").features(LibraryMcp.of(new Library(catalog)));
 * }
 *
 * <p>The rules that hold for all of them:
 *
 * <ul>
 *   <li>A method may be static or not, and of any visibility but {@code private}. It may throw any
 *       exception. Inherited methods do not count: the class that declares them has declarations of
 *       its own.
 *   <li>Its parameters are the members of its arguments, under their names; {@link
 *       dev.fairlead.json.Doc}, {@link dev.fairlead.json.Default}, {@link dev.fairlead.json.Range},
 *       {@link dev.fairlead.json.Size}, {@link dev.fairlead.json.Matches}, {@link
 *       dev.fairlead.json.Format}, {@link dev.fairlead.protocol.tools.Header}, {@link
 *       dev.fairlead.json.JsonName}, {@code @Nullable} and {@code Optional} have the same meaning
 *       as on the components of a record. A parameter of the type {@link
 *       dev.fairlead.server.handler.Call} is the call, and no member.
 *   <li>Descriptions come from Javadoc where no annotation gives them: the main text of the method,
 *       and {@code @param} of a parameter.
 * </ul>
 */
@NullMarked
package dev.fairlead.server.annotation;

import org.jspecify.annotations.NullMarked;
