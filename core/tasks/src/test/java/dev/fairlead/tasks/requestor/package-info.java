/** Tests of the side that started a task, against a peer that is scripted answer by answer. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.tasks.requestor;
