/** The code of a conversation. The pages that lead to one load it ahead, so that it opens at once. */

export const loadChatPage = () => import("./ChatPage");
